"""Printed affiliations to institutions. Pure: evidence in; institutions, how and why out. Knows no Django."""
