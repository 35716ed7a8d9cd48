"""Raw records as text for people."""

from __future__ import annotations

import json

import pytest

from wovepaper.lib.payloads import MOST_BYTES, readable_payload


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        (b"<a><b>x</b></a>", "<a>\n  <b>x</b>\n</a>"),
        (b' {"b":[1,"\xc3\xa9"]}', '{\n  "b": [\n    1,\n    "é"\n  ]\n}'),
        (b"[]", "[]"),
        (b"<a><b>", "<a><b>"),
        (b'{"a":', '{"a":'),
        (b"plain", "plain"),
        (b"", ""),
        (b"\xff\x00x", "\ufffdx"),
        (b"a\xe2\x80\xaeb", "ab"),
        ("<?xml version='1.0' encoding='iso-8859-1'?><a>\xe9</a>".encode("latin-1"), "<a>é</a>"),
    ],
)
def test_set_out_where_it_can_be_read_and_as_sent_otherwise(payload: bytes, text: str) -> None:
    found = readable_payload(payload)
    assert (found.text, found.size, found.cut) == (text, len(payload), False)


def test_entities_are_not_followed(tmp_path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("do not read me")
    payload = f'<!DOCTYPE a [<!ENTITY e SYSTEM "{secret.as_uri()}">]><a>&e;</a>'.encode()
    assert "do not read me" not in readable_payload(payload).text
    bomb = b'<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;">]><a>&y;&y;</a>'
    assert "xxxxxxxxxxx" not in readable_payload(bomb).text


def test_deep_nesting_is_shown_as_sent() -> None:
    deep = b"[" * 100_000
    assert readable_payload(deep, most=10).text == "[" * 10


def test_long_payloads_are_cut() -> None:
    found = readable_payload(json.dumps(["x" * 50]).encode(), most=20)
    assert (len(found.text), found.cut) == (20, True)
    long = b"<a>" + b"y" * MOST_BYTES + b"</a>"
    found = readable_payload(long, most=20)
    assert (found.text, found.size, found.cut) == ("<a>" + "y" * 17, len(long), True)
