"""The page of one paper, of one of its versions, and its citation in every format."""

from __future__ import annotations

from urllib.parse import quote

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from papers.addresses import PaperAddress, find_identified
from papers.citations import from_paper, read_authorships
from papers.connections import Notices, read_connections, read_notices
from papers.forms import SOURCE_NAMES
from papers.models import Affiliation, Authorship, Category, Paper, PaperIdentifier, PaperVersion, SourceRecord
from papers.querysets import LIKELY_BELOW, AttributedAuthor, attributed_authors
from papers.services.ingest.notice_rows import dois_of
from papers.signposting import link_header
from papers.structured_data import breadcrumbs, citation_meta, scholarly_article, to_script_json
from papers.views.citing import bibtex_citation, download_url
from papers.views.links import Link, moved
from papers.views.paper_address import find_or_404, parse_or_404
from papers.views.references import references_summary, shown_counts
from papers.views.shown import Outlet, ShownAuthor, ShownRecord
from papers.views.standing import banner_notices, published_article, quiet_notices, shown_dates, shown_event
from wovepaper.lib import doi as doi_names
from wovepaper.lib.markup import plain
from wovepaper.lib.page_head import PageHead, shorten

AUTHORS_SHOWN = 20
WITH_SLUGS = 200
"""Authors whose addresses are written out; in a longer list numbers alone lead there, and keep the page light."""
ARXIV = "https://arxiv.org"
FORMAT_CONTENTS = {
    "arXiv": "Title, abstract, authors one by one, categories, licence, identifiers",
    "arXivRaw": "Title, abstract, authors as typed, every version with its date and size",
    "oai_dc": "Title, abstract, authors, subjects",
    "snapshot": "Title, abstract, authors, categories, licence, every version with its date",
    "work": "Title, authors with ORCIDs and affiliations, journal, publisher, licence, references, notices, citations",
}
"""What each format of a source can know."""


@require_safe
def paper(request: HttpRequest, address: str) -> HttpResponse:
    """``/papers/<reference>-<slug>``. Every other name of the paper leads here in one hop."""
    parsed = parse_or_404(address)
    found = find_or_404(parsed)
    version = None
    canonical = found.get_absolute_url()
    if parsed.version is not None and _same_paper(parsed, found):
        version = _find_version(found, parsed.version)
        is_small = address.startswith(f"{parsed.reference}v")
        if not is_small or (parsed.slug is not None and parsed.slug != found.slug):
            return moved(version_url(found, version))
    elif request.path != canonical:
        return moved(canonical)
    context = _paper_context(found, version)
    response = render(request, "papers/paper.html", context)
    response.headers["Link"] = str(context["signposts"])
    return response


@require_safe
def paper_by_doi(request: HttpRequest, name: str) -> HttpResponse:
    """``/papers/doi/<doi>`` leads to the paper."""
    normal = doi_names.normalise(name)
    found = find_identified("doi", normal) if normal else None
    if found is None:
        raise Http404("No paper here has this DOI. It may be mistyped, or not harvested yet.")
    return moved(found.get_absolute_url())


def _same_paper(parsed: PaperAddress, found: Paper) -> bool:
    """Whether the address names the paper by its own reference, so that its versions are meant."""
    return parsed.reference == found.reference


def _find_version(found: Paper, number: int) -> PaperVersion:
    version = found.versions.filter(number=number).first()
    if version is None:
        count = found.version_count
        has = "has no numbered versions" if not count else f"has {count} version{'' if count == 1 else 's'}"
        raise Http404(f"There is no version {number} of this paper; it {has}.")
    return version


def version_url(found: Paper, version: PaperVersion) -> str:
    """The address of one version's state."""
    reference = f"{found.reference}v{version.number}"
    return reverse("papers:paper", args=[f"{reference}-{found.slug}" if found.slug else reference])


def _paper_context(found: Paper, version: PaperVersion | None) -> dict[str, object]:
    authorships = read_authorships(found)
    attributed = attributed_authors(found.pk)
    addresses = _addresses(authorships, attributed)
    printed, institutions = _read_affiliations(found)
    authors, affiliations = _number_affiliations(authorships, printed, attributed, addresses)
    versions = list(found.versions.order_by("-number"))
    codes = found.categories or ([found.primary_category_id] if found.primary_category_id else [])
    names = Category.objects.in_bulk(codes)
    records = found.source_records.defer("payload", "hash").order_by("source", "format", "external_id")
    shown_names = {("arxiv", found.arxiv_id), ("doi", found.doi)}
    identifiers = list(found.identifiers.order_by("scheme", "value").values_list("scheme", "value"))
    other_names = [
        (PaperIdentifier.Scheme(scheme).label, value)
        for scheme, value in identifiers
        if (scheme, value) not in shown_names
    ]
    notices = read_notices(found, dois_of(identifiers)) if found.notice_count else Notices()
    connections = read_connections(found)
    url = settings.SITE_URL + found.get_absolute_url()
    title = plain(found.title)
    data = from_paper(found, site_url=settings.SITE_URL, authorships=authorships)
    crumbs = _crumbs(found, names)
    here = (title, found.get_absolute_url())
    head = _head(found, version, title, authorships)
    alternates = [
        ("application/x-bibtex", "BibTeX", download_url(found, "bib")),
        ("application/x-research-info-systems", "RIS", download_url(found, "ris")),
        ("application/vnd.citationstyles.csl+json", "CSL-JSON", download_url(found, "json")),
    ]
    author_addresses = [addresses.get(authorship.pk, "") for authorship in authorships]
    return {
        "head": head,
        "paper": found,
        "plain_title": title,
        "version": version,
        "newest_version": versions[0] if versions else None,
        "versions": [(one, version_url(found, one)) for one in versions],
        "first_version": versions[-1] if versions else None,
        "article": published_article(found) if versions else None,
        "authors": authors[:AUTHORS_SHOWN],
        "more_authors": authors[AUTHORS_SHOWN:],
        "author_total": len(authors),
        "has_attributions": bool(attributed),
        "has_likely": any(one.is_likely for one in attributed.values()),
        "likely_below": round(100 * LIKELY_BELOW),
        "affiliations": [(number, text, institutions.get(text, "")) for number, text in affiliations],
        "categories": [(code, names.get(code)) for code in codes],
        "outlet": _outlet(found, version),
        "records": [_shown_record(record) for record in records],
        "other_names": other_names,
        "cited_by": shown_counts(found),
        "connections": connections,
        "references_summary": references_summary(found),
        "references_url": reverse("papers:references", args=[found.reference]),
        "cited_by_url": reverse("papers:cited_by", args=[found.reference]),
        "standing_notices": banner_notices(found, notices),
        "quiet_notices": quiet_notices(found, notices),
        "issued_notices": notices.issued,
        "event": shown_event(found.event),
        "citation": bibtex_citation(found, data),
        "citation_tags": citation_meta(found, site_url=settings.SITE_URL, citation=data),
        "json_ld": [
            to_script_json(
                scholarly_article(
                    found,
                    settings.SITE_URL,
                    citation=data,
                    author_addresses=author_addresses,
                )
            ),
            to_script_json(breadcrumbs([*((crumb.label, crumb.url) for crumb in crumbs), here], settings.SITE_URL)),
        ],
        "other_formats": [
            Link("RIS", download_url(found, "ris")),
            Link("CSL-JSON", download_url(found, "json")),
        ],
        "cite_url": reverse("papers:cite", args=[found.reference]),
        "alternates": alternates,
        "signposts": link_header(
            data,
            site_url=settings.SITE_URL,
            described_by=[*((type_, url) for type_, _, url in alternates), ("text/markdown", head.markdown_path)],
            authors=author_addresses,
        ),
        "share_url": url,
        "mail_url": f"mailto:?subject={quote(title)}&body={quote(url)}",
        "crumbs": crumbs,
        "eyebrow": _eyebrow(found),
        "dates": shown_dates(found, versions),
        "licence_url": found.licence if found.licence.startswith(("https://", "http://")) else "",
        "pinned": ", ".join(name.replace("_", " ") for name in sorted(found.pinned)),
    }


def _head(found: Paper, version: PaperVersion | None, title: str, authorships: list[Authorship]) -> PageHead:
    names = ", ".join(authorship.name for authorship in authorships[:3]) + (" et al." if len(authorships) > 3 else "")
    description = shorten(". ".join(part for part in (names.rstrip("."), plain(found.abstract)) if part) or title)
    return PageHead(
        title=shorten(f"{title} (version {version.number})" if version else title, 160),
        description=description,
        path=found.get_absolute_url(),
        kind="article",
        index=version is None,
    )


def _read_affiliations(found: Paper) -> tuple[dict[int, list[str]], dict[str, str]]:
    """The affiliations of each author, by the number of the authorship, and the pages of the institutions they name.

    Plain values: there may be thousands.
    """
    affiliations: dict[int, list[str]] = {}
    institutions: dict[str, str] = {}
    rows = Affiliation.objects.filter(authorship__paper=found).order_by("pk")
    path = reverse("institutions:institution_list")
    for authorship, text, number, slug in rows.values_list(
        "authorship_id", "text", "institution__root", "institution__root__slug"
    ):
        affiliations.setdefault(authorship, []).append(text)
        if number is not None:
            institutions[text] = f"{path}/{number}-{slug}" if slug else f"{path}/{number}"
    return affiliations, institutions


def _addresses(authorships: list[Authorship], attributed: dict[int, AttributedAuthor]) -> dict[int, str]:
    """The pages of the researchers, by the number of the authorship. A number alone leads to the same page."""
    people = reverse("researchers:researcher_list")
    with_slugs = len(authorships) <= WITH_SLUGS
    return {
        authorship: f"{people}/{one.researcher}-{one.slug}" if one.slug and with_slugs else f"{people}/{one.researcher}"
        for authorship, one in attributed.items()
    }


def _number_affiliations(
    authorships: list[Authorship],
    affiliations: dict[int, list[str]],
    attributed: dict[int, AttributedAuthor],
    addresses: dict[int, str],
) -> tuple[list[ShownAuthor], list[tuple[int, str]]]:
    """The authors with the numbers of their affiliations, and the affiliations numbered as they first occur."""
    numbers: dict[str, int] = {}
    authors = []
    for authorship in authorships:
        marks = [numbers.setdefault(text, len(numbers) + 1) for text in affiliations.get(authorship.pk, ())]
        one = attributed.get(authorship.pk)
        authors.append(
            ShownAuthor(
                name=authorship.name,
                marks=",".join(map(str, marks)),
                is_collaboration=authorship.is_collaboration,
                url=addresses.get(authorship.pk, ""),
                is_likely=one is not None and one.is_likely,
            )
        )
    return authors, [(number, text) for text, number in numbers.items()]


def _eyebrow(found: Paper) -> str:
    if found.arxiv_id:
        return f"arXiv:{found.arxiv_id}"
    return f"doi:{found.doi}" if found.doi else f"{found.get_kind_display()} {found.pk}"  # type: ignore[attr-defined]


def _outlet(found: Paper, version: PaperVersion | None) -> Outlet:
    if found.is_demo:
        return Outlet()  # invented ids may belong to somebody else's paper
    suffix = f"{found.arxiv_id}{f'v{version.number}' if version else ''}"
    # What was withdrawn has no file; the versions before it have pages of their own.
    has_file = not version.withdrawn if version else found.status != Paper.Status.WITHDRAWN
    return Outlet(
        arxiv_url=f"{ARXIV}/abs/{suffix}" if found.arxiv_id else "",
        pdf_url=f"{ARXIV}/pdf/{suffix}" if found.arxiv_id and has_file else "",
        doi_url=f"https://doi.org/{quote(found.doi)}" if found.doi else "",
    )


def _crumbs(found: Paper, names: dict[str, Category]) -> list[Link]:
    crumbs = [Link("Papers", reverse("papers:paper_list"))]
    primary = names.get(found.primary_category_id or "")
    if primary is not None:
        crumbs.append(Link(f"{primary.name} ({primary.code})", primary.get_absolute_url()))
    return crumbs


def _shown_record(record: SourceRecord) -> ShownRecord:
    source = SOURCE_NAMES.get(record.source, record.source)
    return ShownRecord(source, record, FORMAT_CONTENTS.get(record.format, ""))
