"""Who gets what at which address: every route of the site, for every kind of visitor and every method.

A route that is not listed here fails ``test_authorisation.py``. To add one, write a ``Route`` into ``ROUTES``:

- ``route`` as the resolver writes it (the failing test prints it), ``address`` with an example whose braces are names
  of ``authorisation_world``;
- for each method what the six visitors get, in the order of ``Role``: a status, or ``in`` for a redirect to the page
  for signing in that leads back. One word stands for all six. ``put`` and ``delete`` are as ``post`` if left out;
- ``form``, what a POST sends. With ``acts`` every POST that is not refused must change something, which shows that
  the form is one that would do harm in the wrong hands.

Anonymous visitors, readers and staff without a permission may never change anything but what is their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

Form = Mapping[str, str | Sequence[str]]


class Role(StrEnum):
    """Kinds of visitors, in the order of the columns."""

    ANONYMOUS = "anonymous"
    READER = "reader"
    OTHER_READER = "other reader"
    CURATOR = "curator"  # in the group of curators, with what every curator may
    STAFF = "staff"  # let into the admin, without a permission
    SUPERUSER = "superuser"


SIGN_IN = "in"


@dataclass(frozen=True, slots=True)
class Route:
    """One row of the matrix."""

    route: str
    address: str
    get: str = "200"
    post: str = "405"
    put: str = ""
    delete: str = ""
    head: str = ""
    form: Form = field(default_factory=dict)
    acts: bool = False
    challenges: bool = False
    """Whether a GET puts a challenge, which the form then has to answer, into the visitor's own session."""
    exempt: bool = False
    """Whether a POST needs no token against forgery: only where there is nothing to forge."""
    signed: bool = False
    """Whether the address is itself a secret, sent to nobody but whom it is about: then it says who asks."""

    def expected(self, method: str) -> dict[Role, str]:
        """What each visitor gets."""
        cells = {
            "get": self.get,
            "head": self.head or self.get,
            "post": self.post,
            "put": self.put or self.post,
            "delete": self.delete or self.put or self.post,
        }[method].split()
        return dict(zip(Role, cells * len(Role) if len(cells) == 1 else cells, strict=True))


# --- public pages ----------------------------------------------------------------------------------------------------

PUBLIC = [
    Route("", "/"),
    Route("livez", "/livez"),
    Route("readyz", "/readyz"),
    Route("robots.txt", "/robots.txt"),
    Route("llms.txt", "/llms.txt"),
    Route("favicon.ico", "/favicon.ico", get="301"),
    Route("opensearch.xml", "/opensearch.xml"),
    Route("sitemap.xml", "/sitemap.xml"),
    Route("sitemaps/pages.xml", "/sitemaps/pages.xml"),
    Route(
        r"^sitemaps/(?P<name>papers|researchers|institutions)-(?P<number>[0-9]{1,9})\.xml$", "/sitemaps/papers-0.xml"
    ),
    Route(r"^(?P<form>rss|atom)/latest\.xml$", "/rss/latest.xml"),
    Route(r"^(?P<form>rss|atom)/categories/(?P<code>[\w.-]{1,32})\.xml$", "/atom/categories/{category}.xml"),
    Route(r"^(?P<form>rss|atom)/researchers/(?P<number>[0-9]+)\.xml$", "/rss/researchers/{researcher}.xml"),
    Route(r"^(?P<form>rss|atom)/institutions/(?P<number>[0-9]+)\.xml$", "/rss/institutions/{institution}.xml"),
    Route(r"^(?P<form>rss|atom)/search\.xml$", "/atom/search.xml?q=loom"),
    # It has no form, and answers every address that is left: 404 whatever comes.
    Route("<path:path>", "/how-we-weave", exempt=True),
    Route("search", "/search"),
    Route(r"^search\.(?P<extension>bib|ris|json)$", "/search.ris?q=loom"),
    Route("categories", "/categories"),
    Route("categories/<str:code>", "/categories/{category}"),
    Route("papers", "/papers"),
    Route("papers/doi/<path:name>", "/papers/doi/{doi}", get="301"),
    Route(r"^papers/(?P<address>.+)\.(?P<extension>bib|ris|json)$", "/papers/{paper}.bib"),
    Route(r"^papers/(?P<address>.+)/cite$", "/papers/{paper}/cite"),
    Route(r"^papers/(?P<address>.+)/references$", "/papers/{paper}/references"),
    Route(r"^papers/(?P<address>.+)/cited-by$", "/papers/{paper}/cited-by"),
    Route(r"^papers/(?P<address>.+)/sources$", "/papers/{paper}/sources"),
    Route("papers/<path:address>", "{paper_page}"),
    Route("institutions", "/institutions"),
    Route("institutions/<path:address>", "{institution_page}"),
    Route("researchers", "/researchers"),
    Route("researchers/compare", "/researchers/compare?ids={researcher},{other}"),
    Route("researchers/orcid/<path:text>", "/researchers/orcid/{orcid}", get="301"),
    Route(r"^researchers/(?P<address>[0-9][^/]*)$", "{researcher_page}"),
    Route(r"^researchers/(?P<address>[0-9][^/]*)\.(?P<extension>bib|ris)$", "{researcher_page}.bib"),
    Route(r"^researchers/(?P<address>[0-9][^/]*)/co-authors$", "{researcher_page}/co-authors"),
    Route(r"^researchers/(?P<address>[0-9][^/]*)/venues$", "{researcher_page}/venues"),
    Route(r"^papers/(?P<address>.+)/authors$", "/papers/{paper}/authors"),
]

# For programs: nothing can be written there, so a request that comes without a token can do no harm.
PROGRAMS = [
    Route(f"api/v1/{route}", f"/api/v1/{address}", get=get, exempt=True)
    for route, address, get in (
        ("papers", "papers", "200"),
        ("papers/<path:ref>", "papers/{paper}", "200"),
        ("papers/<path:ref>/authors", "papers/{paper}/authors", "200"),
        ("papers/<path:ref>/references", "papers/{paper}/references", "200"),
        ("papers/<path:ref>/citations", "papers/{paper}/citations", "200"),
        ("papers/<path:ref>/versions", "papers/{paper}/versions", "200"),
        ("papers/<path:ref>/sources", "papers/{paper}/sources", "200"),
        ("categories", "categories", "200"),
        ("researchers/<path:ref>", "researchers/{researcher}", "200"),
        ("researchers/<path:ref>/papers", "researchers/{researcher}/papers", "200"),
        ("researchers/<path:ref>/coauthors", "researchers/{researcher}/coauthors", "200"),
        ("institutions/<path:ref>", "institutions/{institution}", "200"),
        ("search", "search?q=loom", "200"),
        ("identity/changes", "identity/changes", "200"),
        ("", "", "404"),
        ("<path:rest>", "nowhere", "404"),
    )
]
PROGRAMS += [Route("openapi.json", "/openapi.json", exempt=True), Route("developers", "/developers")]

READERS = [
    Route(
        "researchers/votes",
        "/researchers/votes",
        get="405",
        post="in 302 302 302 302 302",
        put="405",
        form={"one": "{researcher}", "other": "{other}", "verdict": "same", "next": "{researcher_page}"},
        acts=True,
    ),
    Route(
        "papers/<path:address>/authors/<int:authorship>/contest",
        "/papers/{paper}/authors/{author}/contest",
        get="in 200 200 200 200 200",
        post="in 302 302 302 302 302",
        put="405",
        form={"said": "not_them", "seen": "{researcher}", "reason": "this is somebody else"},
        acts=True,
    ),
]

# --- accounts --------------------------------------------------------------------------------------------------------

_HOME = "302 302 302 302 302"
_MEMBERS = "200 200 200 200 200"
_NO = "405 405 405 405 405"

_AFTER = f"in {_HOME}"

ACCOUNTS = [
    Route("accounts/login/", "/accounts/login/", get=f"200 {_HOME}", post=f"200 {_HOME}"),
    Route("accounts/logout/", "/accounts/logout/", get=f"302 {_MEMBERS}", post="302"),
    Route("accounts/inactive/", "/accounts/inactive/"),
    Route(
        "accounts/signup/", "/accounts/signup/", get=f"200 {_HOME}", post="302",
        form={"email": "new@papers.test", "password1": "warp-and-weft-77"},
    ),
    Route("accounts/signup/passkey/", "/accounts/signup/passkey/", get=f"200 {_HOME}", post="302",
          form={"email": "newer@papers.test"}),
    Route("accounts/login/code/", "/accounts/login/code/", get=f"200 {_HOME}", post="302",
          form={"email": "nobody@papers.test"}),
    Route("accounts/login/code/confirm/", "/accounts/login/code/confirm/", get="302", post="302"),
    Route("accounts/email/", "/accounts/email/", get=f"in {_MEMBERS}", post=f"in {_HOME}",
          form={"action_add": "", "email": "third@papers.test"}),
    Route("accounts/confirm-email/", "/accounts/confirm-email/", get="302", post="302"),
    Route("accounts/password/change/", "/accounts/password/change/", get=f"in {_HOME}", post=f"in {_HOME}"),
    Route("accounts/password/set/", "/accounts/password/set/", get=f"in {_MEMBERS}", post=f"in {_MEMBERS}"),
    Route("accounts/password/reset/", "/accounts/password/reset/", post="200"),
    Route("accounts/password/reset/done/", "/accounts/password/reset/done/"),
    Route(r"accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
          "/accounts/password/reset/key/{user_text}-no-key/", post="200"),
    Route("accounts/password/reset/key/done/", "/accounts/password/reset/key/done/"),
    Route("accounts/reauthenticate/", "/accounts/reauthenticate/", get=f"in {_HOME}", post=f"in {_HOME}"),
    Route("accounts/reauthenticate/code/", "/accounts/reauthenticate/code/", get=f"in {_MEMBERS}",
          post=f"in {_MEMBERS}"),
    Route("accounts/reauthenticate/code/confirm/", "/accounts/reauthenticate/code/confirm/", get=f"in {_HOME}",
          post=f"in {_HOME}"),
    Route("accounts/settings/", "/accounts/settings/", get=f"in {_MEMBERS}", post=f"in {_HOME}",
          form={"display_name": "A. Reader", "time_zone": "Asia/Kathmandu", "cadence": "weekly", "delivery_hour": "6"},
          acts=True),
    Route("accounts/settings/export/", "/accounts/settings/export/", get=f"in {_MEMBERS}"),
    Route("accounts/settings/delete/", "/accounts/settings/delete/", get=f"in {_MEMBERS}",
          post="in 302 302 302 302 400", form={"understood": "yes"}),
    Route("accounts/welcome/", "/accounts/welcome/", get=f"in {_MEMBERS}", post=f"in {_HOME}",
          form={"step": "fields", "categories": "{category}"}, acts=True),
    Route("accounts/sessions/", "/accounts/sessions/", get=f"in {_MEMBERS}", post=f"in {_HOME}"),
]  # fmt: skip

_ONE_READER = "in 200 404 404 404 404"
"""Something that only the first reader has."""
_ASKED_FIRST = f"in {_NO}"

# Whoever signs in here typed in a code a moment ago; others are led to do so, as tests/accounts show.
SECOND_FACTORS = [
    Route("accounts/2fa/", "/accounts/2fa/", get=f"in {_MEMBERS}", post=_ASKED_FIRST),
    Route("accounts/2fa/authenticate/", "/accounts/2fa/authenticate/", get="302", post="302"),
    Route("accounts/2fa/reauthenticate/", "/accounts/2fa/reauthenticate/", get="in 200 302 302 302 302",
          post="in 200 302 302 302 302"),
    Route("accounts/2fa/recovery-codes/", "/accounts/2fa/recovery-codes/", get=_ONE_READER, post=_ASKED_FIRST),
    Route("accounts/2fa/recovery-codes/download/", "/accounts/2fa/recovery-codes/download/", get=_ONE_READER,
          post="in 405 404 404 404 404"),
    Route("accounts/2fa/recovery-codes/generate/", "/accounts/2fa/recovery-codes/generate/", get=f"in {_MEMBERS}",
          post="in 302 200 200 200 200"),
    # One of the first reader's addresses is not confirmed, and such accounts get no second factor.
    Route("accounts/2fa/totp/activate/", "/accounts/2fa/totp/activate/", get="in 302 200 200 200 200",
          post="in 302 200 200 200 200", challenges=True),
    Route("accounts/2fa/totp/deactivate/", "/accounts/2fa/totp/deactivate/", get=_ONE_READER,
          post="in 302 404 404 404 404", acts=True),
    Route("accounts/2fa/webauthn/", "/accounts/2fa/webauthn/", get=f"in {_MEMBERS}", post=_ASKED_FIRST),
    Route("accounts/2fa/webauthn/add/", "/accounts/2fa/webauthn/add/", get="in 302 200 200 200 200",
          post="in 302 200 200 200 200", challenges=True),
    Route("accounts/2fa/webauthn/keys/<int:pk>/edit/", "/accounts/2fa/webauthn/keys/{passkey}/edit/",
          get=_ONE_READER, post="in 302 404 404 404 404", form={"name": "loom"}, acts=True),
    Route("accounts/2fa/webauthn/keys/<int:pk>/remove/", "/accounts/2fa/webauthn/keys/{passkey}/remove/",
          get=_ONE_READER, post="in 302 404 404 404 404", acts=True),
    Route("accounts/2fa/webauthn/login/", "/accounts/2fa/webauthn/login/", get="302", post="302"),
    Route("accounts/2fa/webauthn/reauthenticate/", "/accounts/2fa/webauthn/reauthenticate/",
          get="in 200 302 302 302 302", post=f"in {_HOME}", challenges=True),
    Route("accounts/2fa/webauthn/signup/", "/accounts/2fa/webauthn/signup/", get="302", post="302"),
]  # fmt: skip

ELSEWHERE = [
    Route("accounts/3rdparty/", "/accounts/3rdparty/", get=f"in {_MEMBERS}", post=f"in {_MEMBERS}"),
    Route("accounts/3rdparty/login/cancelled/", "/accounts/3rdparty/login/cancelled/"),
    Route("accounts/3rdparty/login/error/", "/accounts/3rdparty/login/error/", get="401"),
    Route("accounts/3rdparty/signup/", "/accounts/3rdparty/signup/", get="302", post="302"),
    *(
        Route(f"accounts/{provider}/login/{rest}", f"/accounts/{provider}/login/{rest}", **cells)
        for provider in ("orcid", "github", "google")
        # Nobody comes back from where they were not sent.
        for rest, cells in (("", {"post": "200"}), ("callback/", {"get": "401"}))
    ),
]  # fmt: skip

ALERTS = [
    Route("follows", "/follows", get=f"in {_MEMBERS}"),
    # Whoever is not signed in is led there, and back to the question.
    Route("follows/add", "/follows/add?kind=researcher&key={researcher}", get=f"in {_MEMBERS}", post=f"in {_HOME}",
          put="405", form={"kind": "researcher", "key": "{researcher}", "next": "{researcher_page}"}, acts=True),
    Route("follows/remove", "/follows/remove", get="405", post=f"in {_HOME}", put="405",
          form={"kind": "category", "key": "{category}", "next": "/categories/{category}"}),
    Route("follows/all", "/follows/all", get="405", post=f"in {_HOME}", put="405", form={"action": "pause"}, acts=True),
    Route("follows/<int:follow_id>", "/follows/{follow}", get="405", post="in 302 404 404 404 404", put="405",
          form={"switches": ["new", "revision"], "cadence": "weekly", "action": "pause"}, acts=True),
    Route("inbox", "/inbox", get=f"in {_MEMBERS}"),
    # The number of another reader's notification changes nothing and tells nothing.
    Route("inbox/read", "/inbox/read", get="405", post=f"in {_HOME}", put="405", form={"notification": "{told}"}),
    Route("inbox/seen", "/inbox/seen", get="405", post=f"in {_HOME}", put="405", acts=True),
    Route("inbox/mail", "/inbox/mail", get=f"in {_MEMBERS}"),
    Route("inbox/mail/<int:delivery_id>", "/inbox/mail/{mail}", get=_ONE_READER),
    # Mail programs post by themselves and bring no token against forgery: the signed address is one.
    Route("unsubscribe/<str:token>", "/unsubscribe/{unsubscribe}", post="200", put="405", exempt=True,
          signed=True),
]  # fmt: skip

_ONLY_FORMS = [replace(row, put="405") for row in (*ACCOUNTS, *SECOND_FACTORS, *ELSEWHERE)]

# --- the admin -------------------------------------------------------------------------------------------------------


def inside(curator: int, staff: int, superuser: int) -> str:
    """What those get who are let in; all others are led to the page for signing in."""
    return f"in in in {curator} {staff} {superuser}"


_ALL = inside(200, 200, 200)
_CURATORS = inside(200, 403, 200)
_SUPERUSERS = inside(403, 403, 200)
_NOBODY = inside(403, 403, 403)
_ELSEWHERE = inside(302, 302, 302)
_WRONG = inside(405, 405, 405)

ADMIN = [
    Route("admin/", "/admin/", get=_ALL, post=_ALL),
    Route("admin/login/", "/admin/login/", get="in 403 403 302 302 302", head="in 403 403 200 200 200",
          post="in 403 403 200 200 200", delete="in 403 403 405 405 405"),
    Route("admin/logout/", "/admin/logout/", get="302 302 302 405 405 405", post="302 302 302 200 200 200",
          put="302 302 302 405 405 405"),
    Route("admin/password_change/", "/admin/password_change/", get=_ALL, post=_ALL, delete=_WRONG),
    Route("admin/password_change/done/", "/admin/password_change/done/", get=_ALL, post=_WRONG),
    Route("admin/autocomplete/", "/admin/autocomplete/", get=_NOBODY, post=_WRONG),
    Route("admin/jsi18n/", "/admin/jsi18n/", get=_ALL, post=_WRONG),
    Route("admin/r/<path:content_type_id>/<path:object_id>/", "/admin/r/{paper_type}/{paper_pk}/", get=_ELSEWHERE,
          post=_ELSEWHERE),
    Route("admin/(?P<app_label>{apps})/$", "/admin/harvest/", get=inside(404, 404, 200), post=inside(404, 404, 200)),
    Route("admin/(?P<url>.*)$", "/admin/nowhere/", get=inside(404, 404, 404), post=inside(404, 404, 404)),
]  # fmt: skip


def _rows(model: str, name: str, cells: Mapping[str, Mapping[str, object]]) -> Iterator[Route]:
    """The addresses that Django gives to every model in the admin. ``name`` is that of an example row."""
    examples = {"": "", "add/": "add/"} | {
        f"<path:object_id>/{act}": f"{{{name}}}/{act}" for act in ("history/", "delete/", "change/", "")
    }
    for tail, example in examples.items():
        act = tail.removeprefix("<path:object_id>/") if tail else "list"
        row = Route(f"admin/{model}/{tail}", f"/admin/{model}/{example}")
        yield replace(row, **cells[act or "bare"])  # type: ignore[arg-type]


_BARE = {"get": _ELSEWHERE, "post": _ELSEWHERE}


def editable(model: str, name: str, **forms: Form) -> list[Route]:
    """A model whose rows are added, changed and deleted by whoever has the permission: here superusers alone."""
    may = {"get": _SUPERUSERS, "post": _SUPERUSERS}
    cells: dict[str, dict[str, object]] = {act: dict(may) for act in ("list", "add/", "history/", "change/")}
    done = inside(403, 403, 302)
    deleted = {"post": done, "put": _SUPERUSERS, "form": {"post": "yes"}, "acts": True}
    cells |= {"delete/": {**may, **deleted}, "bare": _BARE}
    for act, form in forms.items():
        cells[f"{act}/"] |= {"post": done, "put": _SUPERUSERS, "form": form, "acts": True}
    return list(_rows(model, name, cells))


def read_only(model: str, name: str, *, to: str = _SUPERUSERS, **others: Mapping[str, object]) -> list[Route]:
    """A model that only programs write: nobody adds, changes or deletes a row."""
    seen = {"get": to, "post": to}
    cells: dict[str, Mapping[str, object]] = {
        "list": seen,
        "add/": {"get": _NOBODY, "post": _NOBODY},
        "history/": seen,
        "delete/": {"get": _NOBODY, "post": _NOBODY, "form": {"post": "yes"}},
        "change/": {"get": to, "post": _NOBODY, "put": to},
        "bare": _BARE,
    }
    return list(_rows(model, name, cells | {f"{act}/" if act == "change" else act: row for act, row in others.items()}))


def curated(model: str, name: str) -> list[Route]:
    """A screen of the curators: lists and histories, and nothing of what Django would let them change.

    Their own page of a row stands before Django's, which is left with addresses of no row.
    """
    nowhere = inside(302, 403, 302)
    rows = read_only(model, name, to=_CURATORS, change={"get": nowhere, "post": _NOBODY, "put": nowhere})
    return [
        replace(row, address=f"/admin/{model}/nobody/change/") if row.route.endswith("/change/") else row
        for row in rows
    ]


def reading(route: str, example: str, *, get: str = _CURATORS) -> Route:
    """A page to look at."""
    return Route(f"admin/{route}", f"/admin/{example}", get=get, post=_WRONG)


def acting(route: str, example: str, *, post: str, form: Form | None = None, acts: bool = True) -> Route:
    """A button."""
    return Route(f"admin/{route}", f"/admin/{example}", get=_WRONG, post=post, put=_WRONG, form=form or {}, acts=acts)


def filling(route: str, example: str, *, get: str, post: str, form: Form) -> Route:
    """A form that is shown by GET and sent by POST."""
    return Route(f"admin/{route}", f"/admin/{example}", get=get, post=post, put=_WRONG, form=form, acts=True)


_DONE = inside(302, 403, 302)
# What another did is taken back with a permission that the group does not have.
_OTHERS = inside(403, 403, 302)
_KEPT = inside(403, 403, 302)
_SO = {"reason": "so"}
_HALLS = ["{institution}:1", "{other_institution}:1"]
_PAIR = ["{researcher}", "{other}"]
_PAIR_VERSIONS = ["{researcher}:{researcher_version}", "{other}:{other_version}"]

CURATION = [
    *curated("researchers/candidate", "candidate"),
    reading("researchers/candidate/<int:number>/change/", "researchers/candidate/{candidate}/change/"),
    acting("researchers/candidate/<int:number>/decide/", "researchers/candidate/{candidate}/decide/", post=_DONE,
           form={"action": "not-sure"}),
    acting("researchers/candidate/next/", "researchers/candidate/next/", post=_DONE),
    acting("researchers/candidate/undo/", "researchers/candidate/undo/", post=_DONE, form={"key": "{key}"}, acts=False),
    *curated("researchers/researcher", "researcher"),
    reading("researchers/researcher/<int:number>/change/", "researchers/researcher/{researcher}/change/"),
    reading("researchers/researcher/<int:number>/with/", "researchers/researcher/{researcher}/with/?other={other}",
            get=inside(302, 403, 302)),
    filling("researchers/researcher/merge/",
            "researchers/researcher/merge/?survivor={researcher}&member={researcher}&member={other}", get=_CURATORS,
            post=_DONE, form={"survivor": "{researcher}", "member": _PAIR, "version": _PAIR_VERSIONS, "key": "{key}",
                              **_SO}),
    filling("researchers/researcher/<int:number>/split/", "researchers/researcher/{several}/split/", get=_CURATORS,
            post=_DONE, form={"row": "{going}", "target": "new", "version": "{several}:{several_version}",
                              "key": "{key}", **_SO}),
    filling("researchers/researcher/<int:number>/authorships/<int:authorship>/",
            "researchers/researcher/{several}/authorships/{going_author}/", get=_CURATORS, post=_DONE,
            form={"answer": "is-not", **_SO}),
    acting("researchers/researcher/<int:number>/hide-name/", "researchers/researcher/{several}/hide-name/", post=_DONE,
           form={"name": "Una Thread", **_SO}),
    acting("researchers/researcher/<int:number>/show-name/", "researchers/researcher/{several}/show-name/", post=_DONE,
           form={"name": "Una Formerly", **_SO}),
    acting("researchers/researcher/<int:number>/settle/", "researchers/researcher/{researcher}/settle/", post=_DONE,
           form={"identifier": "{identifier}", "answer": "theirs", **_SO}),
    *curated("researchers/mergeevent", "event"),
    reading("researchers/mergeevent/<int:number>/change/", "researchers/mergeevent/{event}/change/"),
    acting("researchers/mergeevent/<int:number>/undo/", "researchers/mergeevent/{event}/undo/", post=_OTHERS,
           form={"key": "{key}", **_SO}),
    *curated("researchers/mergeproposal", "proposal"),
    reading("researchers/mergeproposal/<int:number>/change/", "researchers/mergeproposal/{proposal}/change/"),
    acting("researchers/mergeproposal/<int:number>/answer/", "researchers/mergeproposal/{proposal}/answer/",
           post=_DONE, form={"answer": "reject", **_SO}),
    *curated("researchers/assertion", "assertion"),
    reading("researchers/assertion/<int:number>/change/", "researchers/assertion/{assertion}/change/"),
    acting("researchers/assertion/<int:number>/revoke/", "researchers/assertion/{assertion}/revoke/", post=_OTHERS,
           form=_SO),
    *curated("researchers/decision", "decision"),
    reading("researchers/decision/<int:number>/change/", "researchers/decision/{decision}/change/"),
    acting("researchers/decision/<int:number>/revoke/", "researchers/decision/{decision}/revoke/", post=_OTHERS,
           form=_SO),
    *curated("researchers/contest", "contest"),
    reading("researchers/contest/<int:number>/change/", "researchers/contest/{contest}/change/"),
    acting("researchers/contest/<int:number>/answer/", "researchers/contest/{contest}/answer/", post=_DONE,
           form={"answer": "decline", **_SO}),
]  # fmt: skip

PAPER_CURATION = [
    *curated("papers/papercandidate", "paper_item"),
    reading("papers/papercandidate/<int:number>/change/", "papers/papercandidate/{paper_item}/change/"),
    acting("papers/papercandidate/<int:number>/decide/", "papers/papercandidate/{paper_item}/decide/", post=_DONE,
           form={"action": "not-sure"}),
    filling("papers/papercandidate/<int:number>/merge/",
            "papers/papercandidate/{paper_item}/merge/?survivor={kept_paper}&member={kept_paper}&member={lost_paper}",
            get=_CURATORS, post=_DONE,
            form={"survivor": "{kept_paper}", "member": ["{kept_paper}", "{lost_paper}"],
                  "version": ["{kept_paper}:1", "{lost_paper}:1"], "key": "{key}", **_SO}),
    acting("papers/papercandidate/next/", "papers/papercandidate/next/", post=_DONE),
    acting("papers/papercandidate/undo/", "papers/papercandidate/undo/", post=_DONE, form={"key": "{key}"}, acts=False),
    acting("papers/papercandidate/compare/", "papers/papercandidate/compare/", post=_DONE,
           form={"paper": ["{kept_paper}", "{paper_pk}"]}),
    filling("papers/papercandidate/split/<int:number>/", "papers/papercandidate/split/{split_paper}/", get=_CURATORS,
            post=_DONE, form={"record": "{going_record}", "target": "new", "version": "{split_paper}:1",
                              "key": "{key}", **_SO}),
    *curated("papers/papermergeevent", "paper_event"),
    reading("papers/papermergeevent/<int:number>/change/", "papers/papermergeevent/{paper_event}/change/"),
    acting("papers/papermergeevent/<int:number>/undo/", "papers/papermergeevent/{paper_event}/undo/",
           post=inside(403, 403, 302), form={"key": "{key}", **_SO}),
    *curated("papers/paperassertion", "paper_assertion"),
    reading("papers/paperassertion/<int:number>/change/", "papers/paperassertion/{paper_assertion}/change/"),
    acting("papers/paperassertion/<int:number>/revoke/", "papers/paperassertion/{paper_assertion}/revoke/",
           post=inside(403, 403, 302), form=_SO),
    *read_only("papers/identifierclash", "paper_clash", to=_CURATORS),
]  # fmt: skip

_PAPER = "papers/paper/{paper_pk}"
_RULE = {"institution": "{institution}", "reason": "so"}
_SOURCE = "harvest/sourcestate/{source}"

OPERATION = [
    *read_only("papers/category", "category"),
    *read_only("papers/paper", "paper_pk", change={"get": _SUPERUSERS, "post": _WRONG}),
    reading("papers/paper/<path:object_id>/records/<int:record_id>/", f"{_PAPER}/records/{{record}}/", get=_SUPERUSERS),
    filling("papers/paper/<path:object_id>/pin/<slug:field>/", f"{_PAPER}/pin/title/", get=_SUPERUSERS, post=_KEPT,
            form={"value": "A better title", **_SO}),
    filling("papers/paper/<path:object_id>/unpin/<slug:field>/", f"{_PAPER}/unpin/venue/", get=_SUPERUSERS, post=_KEPT,
            form=_SO),
    # The console stands in the place of the list, and of the page of each row.
    *read_only("harvest/sourcestate", "source", list={"get": _SUPERUSERS, "post": _WRONG},
               change={"get": _ELSEWHERE, "post": _ELSEWHERE}),
    acting("harvest/sourcestate/<str:name>/pause/", f"{_SOURCE}/pause/", post=_KEPT, form=_SO),
    acting("harvest/sourcestate/<str:name>/resume/", f"{_SOURCE}/resume/", post=_KEPT),
    acting("harvest/sourcestate/<str:name>/forget-profile/", f"{_SOURCE}/forget-profile/", post=_KEPT),
    *read_only("harvest/harvestrun", "run"),
    *read_only("harvest/harvestwindow", "window"),
    *read_only("harvest/harvestfile", "file"),
    *read_only("harvest/gonerecord", "gone"),
    *read_only("harvest/rawpage", "page"),
    *read_only("harvest/quarantinedrecord", "refused"),
    acting("harvest/quarantinedrecord/<int:record_id>/replay/", "harvest/quarantinedrecord/{refused}/replay/",
           post=_KEPT),
    *read_only("pipeline/workitem", "item"),
    acting("pipeline/workitem/retry-all/", "pipeline/workitem/retry-all/", post=_KEPT),
    acting("pipeline/workitem/<int:item_id>/retry/", "pipeline/workitem/{item}/retry/", post=_KEPT),
    *read_only("institutions/institution", "institution", to=_CURATORS),
    *curated("institutions/candidate", "institution_item"),
    reading("institutions/candidate/<int:number>/change/", "institutions/candidate/{institution_item}/change/"),
    acting("institutions/candidate/<int:number>/decide/", "institutions/candidate/{institution_item}/decide/",
           post=_DONE, form={"action": "not-sure"}),
    acting("institutions/candidate/next/", "institutions/candidate/next/", post=_DONE),
    acting("institutions/candidate/undo/", "institutions/candidate/undo/", post=_DONE, form={"key": "{key}"},
           acts=False),
    filling("institutions/candidate/merge/",
            "institutions/candidate/merge/?survivor={institution}&loser={other_institution}", get=_CURATORS, post=_DONE,
            form={"survivor": "{institution}", "loser": "{other_institution}", "version": _HALLS,
                  "key": "{key}", **_SO}),
    *curated("institutions/mergeevent", "institution_event"),
    reading("institutions/mergeevent/<int:number>/change/", "institutions/mergeevent/{institution_event}/change/"),
    acting("institutions/mergeevent/<int:number>/undo/", "institutions/mergeevent/{institution_event}/undo/",
           post=inside(403, 403, 302), form={"key": "{key}", **_SO}),
    *editable("institutions/affiliationrule", "rule", add={"pattern": "Hall of Looms", **_RULE},
              change={"pattern": "House of Looms", **_RULE}),
    *editable("auth/group", "group", add={"name": "Proof-readers"}, change={"name": "Proof-readers"}),
    *editable("accounts/user", "user"),
    Route("admin/accounts/user/<id>/password/", "/admin/accounts/user/{user}/password/", get=_SUPERUSERS,
          post=_SUPERUSERS),
    *editable("flatpages/flatpage", "flatpage"),
    *editable("sites/site", "site", change={"domain": "other.test", "name": "other"}),
    *editable("account/emailaddress", "email"),
]  # fmt: skip

ROUTES: list[Route] = [
    *PUBLIC, *PROGRAMS, *READERS, *ALERTS, *_ONLY_FORMS, *ADMIN, *CURATION, *PAPER_CURATION, *OPERATION,
]  # fmt: skip
