import pytest

from papers.licences import licence_name


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("http://creativecommons.org/licenses/by/4.0/", "CC BY 4.0"),
        ("https://creativecommons.org/licenses/by-nc-sa/4.0/legalcode", "CC BY-NC-SA 4.0"),
        ("http://creativecommons.org/licenses/by/3.0/us", "CC BY 3.0 US"),
        ("http://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"),
        ("http://creativecommons.org/licenses/publicdomain/", "http://creativecommons.org/licenses/publicdomain/"),
        ("http://arxiv.org/licenses/nonexclusive-distrib/1.0/", "arXiv’s non-exclusive licence to distribute"),
        ("http://arxiv.org/licenses/assumed-1991-2003/", "arXiv’s licence assumed for submissions before 2004"),
        ("https://www.example.org/terms", "https://www.example.org/terms"),
        ("javascript:alert(1)", "javascript:alert(1)"),
    ],
)
def test_a_licence_has_the_name_a_reader_knows(address, name):
    assert licence_name(address) == name
