"""How pages about accounts are worded."""

from __future__ import annotations

import pytest

from accounts.templatetags.accounts import as_we_write


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sign In", "Sign in"),
        ("\n  Sign Up\n", "\n  Sign up\n"),
        ("Email Addresses", "E-mail addresses"),
        ("Change Email", "Change e-mail"),
        ("Email (again)", "E-mail (again)"),
        ("ORCID iD", "ORCID iD"),
        ("Remove Email@example.org", "Remove Email@example.org"),
        ('<a href="/accounts/Email Me/">Sign In</a>', '<a href="/accounts/Email Me/">Sign In</a>'),
        ("", ""),
    ],
)
def test_as_we_write(text: str, expected: str) -> None:
    assert as_we_write(text) == expected
