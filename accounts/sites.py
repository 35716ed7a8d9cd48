"""Other sites by which readers may sign in."""

NAMES = {"orcid": "ORCID", "github": "GitHub", "google": "Google"}
"""By the code that allauth has for them."""
