"""What tests of accounts share."""

from tests.searching import index_papers  # noqa: F401
