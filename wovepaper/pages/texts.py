"""The first words of the pages that staff write; made once, and theirs from then on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FirstText:
    """A page as it is before anyone has edited it."""

    url: str
    title: str
    content: str


FIRST_TEXTS = (
    FirstText(
        "/about/",
        "About",
        """\
wovepaper is a catalogue of research papers. It brings together what open sources say about each paper, keeps what
each of them said, and shows on every page where a statement comes from.

## What is here

Papers with their versions, authors, categories and licences, harvested from [arXiv](https://arxiv.org/) through the
interface it offers for this. The papers themselves stay where they are: the buttons of a paper's page lead to them.

## What can be wrong

- **A paper is missing.** It may be older than the first harvest, or not announced yet.
- **A detail is wrong.** It is most often wrong at the source; the foot of a paper's page names the record it comes
  from. What is wrong here and right there, we would like to [hear about](/contact).
- **The newest version is not shown.** New versions arrive within a day of their announcement.

## Who is behind it

wovepaper is free software that anyone can run. This site is one of its installations, and is not affiliated with
arXiv, nor endorsed by it.
""",
    ),
    FirstText(
        "/contact/",
        "Contact",
        """\
Whoever runs this site has not left an address here yet.

If something on a paper's page is wrong, look first at the foot of that page: it names the record the page is made
from. A mistake in that record is best reported to its source, and is put right here with the next harvest.
""",
    ),
    FirstText(
        "/privacy/",
        "Privacy",
        """\
## Reading

Anyone can read and search without an account. No page loads anything from another site, and there are no
advertisements, no trackers and no statistics services. Reading sets no cookie.

## Accounts

An account holds an e-mail address, the name, time zone and hour you choose, what you follow, and what you sign in
with: a password (as a hash, which cannot be turned back), passkeys, or the number you have at another site. Signing in
sets two cookies, one for the session and one that protects forms; both are needed for it to work. While you are signed
in we keep from which address and with which browser, so that you can see it and end it. The e-mail address is used to
sign in, to confirm it is yours, and to tell you what you asked to be told.

In your settings you can download all of it, and delete it. What you decided about the catalogue, if you look after it,
stays without your name.

## Logs

The web server may keep a log of requests, with addresses, for as long as its keeper needs it to run the site.

## People in the catalogue

Names and affiliations of authors are shown as the sources published them, with the papers they stand on.
""",
    ),
    FirstText(
        "/developers/",
        "Developers",
        """\
Every paper can be read by programs at its own address.

## Citations

Append an ending to a paper's address, with or without the words at its end:

| Address | Format |
|---|---|
| `/papers/2311.01234.bib` | BibTeX |
| `/papers/2311.01234.ris` | RIS |
| `/papers/2311.01234.json` | CSL-JSON |

The page itself carries `citation_*` tags, which Zotero and Google Scholar read, and JSON-LD by schema.org's
`ScholarlyArticle`.

## Addresses that last

- `/papers/2311.01234` leads to the paper with that arXiv id; `/papers/2311.01234v2` is the state of its second version.
- `/papers/doi/10.1234/example` leads to the paper with that DOI.
- Papers that are merged keep their old addresses: they answer with 301 and lead to where the paper is now.

## Manners

Please send a `User-Agent` that says who you are, and use the `ETag` a page comes with: what has not changed is
answered with 304.

Whoever wants all of arXiv's metadata gets it best
[from arXiv itself](https://info.arxiv.org/help/bulk_data.html).
""",
    ),
)
