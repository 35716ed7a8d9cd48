"""Where institutions come from."""
