import pytest

from wovepaper.lib.countries import country_name, is_country


@pytest.mark.parametrize(("code", "name"), [("DE", "Germany"), ("KE", "Kenya"), ("CI", "Côte d’Ivoire"), ("??", "??")])
def test_names(code, name):
    assert country_name(code) == name


@pytest.mark.parametrize(("code", "known"), [("DE", True), ("de", False), ("XX", False), ("", False), ("DEU", False)])
def test_codes(code, known):
    assert is_country(code) is known
