"""Reads answers as a browser would."""

from __future__ import annotations

import json

from lxml import html


class Page:
    """An HTML answer, taken apart."""

    def __init__(self, response) -> None:
        self.response = response
        self.text = response.content.decode()
        self.root = html.document_fromstring(response.content, parser=html.HTMLParser(encoding="utf-8"))

    def all(self, path: str) -> list:
        """What an XPath finds."""
        return self.root.xpath(path)

    def texts(self, path: str) -> list[str]:
        """The text of what an XPath finds, white space folded."""
        return [" ".join(found.text_content().split()) for found in self.all(path)]

    def one(self, path: str) -> str:
        """The text of the only thing an XPath finds."""
        found = self.texts(path)
        assert len(found) == 1, (path, found)
        return found[0]

    def value(self, path: str) -> str:
        """The only attribute value an XPath finds."""
        found = self.all(path)
        assert len(found) == 1, (path, found)
        return str(found[0])

    @property
    def titles(self) -> list[str]:
        """The titles of the papers listed, in order."""
        return self.texts("//article[@class='paper-card']/*[contains(@class, 'paper-card__title')]")

    @property
    def next(self) -> str | None:
        """The address of the next page."""
        return next(iter(self.all("//nav[@class='pager']/a[@rel='next']/@href")), None)

    @property
    def previous(self) -> str | None:
        """The address of the previous page."""
        return next(iter(self.all("//nav[@class='pager']/a[@rel='prev']/@href")), None)

    @property
    def json_ld(self) -> list[dict]:
        """What machines read, in order."""
        return [json.loads(found.text) for found in self.all("//script[@type='application/ld+json']")]


def get(client, address: str, status: int = 200, **options) -> Page:
    """The page at an address, which must answer with this status."""
    response = client.get(address, **options)
    assert response.status_code == status, (address, response.status_code, response.headers.get("location"))
    return Page(response)


def tags_of(page: Page) -> dict[str, int]:
    """How often each element and attribute occurs: two pages that differ in text alone are equal here."""
    counts: dict[str, int] = {}
    for element in page.root.iter():
        if not isinstance(element.tag, str):
            counts["<!-->"] = counts.get("<!-->", 0) + 1
            continue
        for name in (element.tag, *(f"{element.tag}@{attribute}" for attribute in element.attrib)):
            counts[name] = counts.get(name, 0) + 1
    return counts
