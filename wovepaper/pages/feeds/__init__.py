"""Feeds of the lists of papers, as RSS 2.0 and Atom."""
