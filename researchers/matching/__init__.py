"""Who wrote what, as pure functions: evidence in; decisions, scores and reasons out. Knows no database."""
