"""What the pages of one researcher have in common: the aside, the tabs, the head."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from papers.structured_data import breadcrumbs, to_script_json
from papers.views.links import Link
from researchers.metrics import Badge, badges
from researchers.models import Researcher
from researchers.services.profile import (
    Facts,
    ShownAffiliations,
    Summary,
    read_affiliations,
    read_facts,
    read_summary,
)
from researchers.structured_data import person
from researchers.views.researcher_address import page_url
from researchers.views.researcher_filter import WorksFilter
from wovepaper.lib.page_head import PageHead, shorten

FIELDS_SHOWN = 8
TABS = {"researcher": "Papers", "coauthors": "Co-authors", "venues": "Venues"}


@dataclass(frozen=True, slots=True)
class FieldBar:
    """A field of the person, and the address of their papers in it, or of all where it is in force already."""

    label: str
    count: int
    percent: int
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class YearChart:
    """Papers per year as columns of a drawing whose box is 10 units wide a year and 40 high."""

    columns: tuple[tuple[int, int, float, float], ...]
    """Year, papers, and where the column begins across and down."""
    width: int
    first: int
    last: int
    most: int

    @classmethod
    def of(cls, summary: Summary) -> YearChart | None:
        """The chart, or nothing where no paper is dated."""
        if not summary.years:
            return None
        most = max(bar.count for bar in summary.years)
        columns = tuple(
            (bar.year, bar.count, 10 * step + 1, round(40 - 40 * bar.count / most, 1))
            for step, bar in enumerate(summary.years)
        )
        return cls(columns, 10 * len(columns), summary.years[0].year, summary.years[-1].year, most)


@dataclass(frozen=True, slots=True)
class Frame:
    """The person of the page and everything around its main part."""

    researcher: Researcher
    facts: Facts
    summary: Summary
    affiliations: ShownAffiliations
    badges: list[Badge]
    path: str
    """The address of the page of their papers."""

    @property
    def name(self) -> str:
        """The name shown."""
        return self.researcher.display_name

    def tabs(self, current: str) -> list[Link]:
        """The pages of the person, ``current`` by the name of its view."""
        return [Link(label, page_url(self.researcher, view), current=view == current) for view, label in TABS.items()]

    def field_bars(self, chosen: WorksFilter) -> list[FieldBar]:
        """The fields with the most papers, and the one in force wherever it stands."""
        bars = [bar for place, bar in enumerate(self.summary.fields) if place < FIELDS_SHOWN or bar.key == chosen.field]
        return [
            FieldBar(
                bar.label,
                bar.count,
                bar.percent,
                chosen.url(self.path, field="" if bar.key == chosen.field else bar.key),
                bar.key == chosen.field,
            )
            for bar in bars
        ]

    def context(self, current: str, *, chosen: WorksFilter | None = None) -> dict[str, object]:
        """What the templates of the frame read."""
        here = page_url(self.researcher, current)
        steps = [("Researchers", reverse("researchers:researcher_list")), (self.name, self.path)]
        if current != "researcher":
            steps.append((TABS[current], here))
        url = settings.SITE_URL + self.path
        blocks = [breadcrumbs(steps, settings.SITE_URL)]
        if current == "researcher":
            described = person(name=self.name, url=url, facts=self.facts, affiliations=self.affiliations)
            blocks.insert(0, described)
        return {
            "researcher": self.researcher,
            "facts": self.facts,
            "summary": self.summary,
            "affiliations": self.affiliations,
            "badges": self.badges,
            "tabs": self.tabs(current),
            "field_bars": self.field_bars(chosen or WorksFilter()),
            "fields_left_out": max(0, len(self.summary.fields) - FIELDS_SHOWN),
            "year_chart": YearChart.of(self.summary),
            "crumbs": [Link(name, address) for name, address in steps[:-1]],
            "json_ld": [to_script_json(block) for block in blocks],
            "shows_demo": self.summary.is_invented,
        }

    def head(self, current: str, *, path: str = "", index: bool = True) -> PageHead:
        """The head of one of the pages. ``path``: where it is canonical, if not at the plain address."""
        title = self.name if current == "researcher" else f"{TABS[current]} of {self.name}"
        return PageHead(
            title=shorten(title, 160),
            description=shorten(f"{title}: {self.description}"),
            path=path or page_url(self.researcher, current),
            kind="profile",
            # A person without papers has nothing to be found for.
            index=index and self.summary.total > 0,
            feed=f"researchers/{self.researcher.pk}.xml",
        )

    @property
    def description(self) -> str:
        """What there is of the person, in a sentence or two."""
        total = self.summary.total
        if not total:
            return "no papers in this catalogue are attributed to them now."
        sentence = f"{total:,} paper{'' if total == 1 else 's'} in this catalogue"
        if years := self.summary.years:
            span = f"{years[0].year}" if len(years) == 1 else f"{years[0].year} to {years[-1].year}"
            sentence += f", {span}"
        if self.summary.fields and self.summary.fields[0].key != "none":
            sentence += f", {'' if len(self.summary.fields) == 1 else 'mostly '}in {self.summary.fields[0].label}"
        where = self.affiliations.newest[0].text if self.affiliations.newest else ""
        return f"{sentence}. {where}".strip()


def read_frame(researcher: Researcher) -> Frame:
    """Everything the frame shows of a root, in four statements."""
    summary = read_summary(researcher.pk)
    return Frame(
        researcher=researcher,
        facts=read_facts(researcher, invented=summary.is_invented),
        summary=summary,
        affiliations=read_affiliations(researcher.pk),
        badges=badges(researcher),
        path=page_url(researcher, "researcher"),
    )
