"""The interface as a whole: its operations, their addresses, and the OpenAPI document that describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from ninja import NinjaAPI
from ninja.errors import ValidationError

from wovepaper.rest.gateway import answer_to, nowhere, public
from wovepaper.rest.problems import KINDS, MEDIA_TYPE, Fault, Problem
from wovepaper.rest.schemas import ProblemOut


def _header(description: str, kind: str = "integer") -> dict[str, Any]:
    return {"description": description, "schema": {"type": kind}}


HEADERS = {
    "RateLimit-Limit": _header("Requests that one client may send in a period."),
    "RateLimit-Remaining": _header("Requests left in this period."),
    "RateLimit-Reset": _header("Seconds until the next period."),
    "Retry-After": _header("Seconds to wait."),
    "Location": _header("Where it is now.", "string"),
    "ETag": _header("Send it as If-None-Match: what has not changed is answered with 304.", "string"),
}
_ALWAYS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
_WITH = {200: ["ETag"], 301: ["Location"], 429: ["Retry-After"], 503: ["Retry-After"]}


def answers(shape: Any, *problems: str, moves: bool = False) -> dict[int, Any]:
    """What an operation answers with: ``shape``, or one of these problems, by their codes."""
    codes = ("bad-parameter", "too-many-requests", "server-error", *problems)
    found: dict[int, Any] = {200: shape}
    if moves:
        found[301] = None
    return found | {KINDS[code].status: ProblemOut for code in sorted(codes, key=lambda code: KINDS[code].status)}


class Interface(NinjaAPI):
    """Ninja's API with this site's problems, read only."""

    def set_default_exception_handlers(self) -> None:
        """Everything that is raised is a problem."""
        self.add_exception_handler(ValidationError, _answer)
        self.add_exception_handler(Exception, _answer)

    def patterns(self) -> list[URLPattern]:
        """The addresses of all operations, each behind the gateway, and the answer to all others."""
        found = []
        for pattern in self.urls[0]:
            if not isinstance(pattern, URLPattern) or pattern.name == "api-root":
                continue
            pattern.callback = public(refusing_unknown(pattern.callback, self._parameters()[str(pattern.pattern)]))
            found.append(pattern)
        return [*found, path("", public(nowhere), name="api-root"), path("<path:rest>", public(nowhere))]

    def _parameters(self) -> dict[str, frozenset[str]]:
        """Address to the names of the parameters that it takes."""
        known: dict[str, frozenset[str]] = {}
        for router in self._get_bound_routers():
            for address, view in router.path_operations.items():
                names = {
                    name
                    for operation in view.operations
                    for model in operation.models
                    if model.__ninja_param_source__ == "query"
                    for name in model.__ninja_flatten_map__
                }
                route = "/".join(part.strip("/") for part in (router.prefix, address) if part.strip("/"))
                known[route.replace("{", "<").replace("}", ">")] = frozenset(names)
        return known

    def document(self, *, server: str) -> dict[str, Any]:
        """The OpenAPI document. ``server``: the site's own address."""
        described = dict(self.get_openapi_schema())
        described["servers"] = [{"url": server}]
        described["components"] = {**described["components"], "headers": HEADERS}
        described["paths"] = {
            address: {method: _finished(operation) for method, operation in methods.items()}
            for address, methods in described["paths"].items()
        }
        return described


def _answer(request: HttpRequest, error: Any) -> HttpResponse:
    return answer_to(error, request)


def refusing_unknown(view: Any, names: frozenset[str]) -> Any:
    """``view``, but a parameter that it does not take is a problem instead of being left out in silence."""

    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if unknown := sorted(set(request.GET) - names):
            takes = f"it takes {', '.join(sorted(names))}" if names else "it takes none"
            faults = [Fault(name[:80], "It is not known here.") for name in unknown[:10]]
            raise Problem("unknown-parameter", f"This operation has no parameter {unknown[0][:80]}; {takes}.", faults)
        return view(request, *args, **kwargs)

    return asked


def _finished(operation: Mapping[str, Any]) -> dict[str, Any]:
    """An operation with what the gateway adds to its answers."""
    responses = {}
    for status, response in operation["responses"].items():
        told = dict(response)
        if status >= 400:
            told["content"] = {MEDIA_TYPE: next(iter(told["content"].values()))}
            told["description"] = " ".join(
                f"{kind.title} ({kind.code})." for kind in KINDS.values() if kind.status == status
            )
        if status == 301:
            told["description"] = "It goes by another identifier since it was merged."
        told["headers"] = {
            name: {"$ref": f"#/components/headers/{name}"} for name in (*_ALWAYS, *_WITH.get(status, []))
        }
        responses[str(status)] = told
    responses["304"] = {"description": "It has not changed since the answer with the ETag that was sent."}
    parameters = [_tidy(parameter) for parameter in operation["parameters"]]
    return {**operation, "parameters": parameters, "responses": dict(sorted(responses.items()))}


def _tidy(parameter: Mapping[str, Any]) -> dict[str, Any]:
    """A parameter that says everything once."""
    schema = {name: value for name, value in parameter["schema"].items() if name not in ("title", "description")}
    return {**parameter, "schema": schema}
