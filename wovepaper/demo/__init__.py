"""An invented catalogue: seeded, of any size, written as upstream documents and brought in like any other source."""
