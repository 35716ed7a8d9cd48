"""Pages about researchers: parse, call, render."""
