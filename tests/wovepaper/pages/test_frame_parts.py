"""The parts of the frame that are kept once rendered: each reader gets the frame that is theirs."""

import pytest
from django.contrib.auth import get_user_model
from django.template import Context, Template

from tests.html import get
from wovepaper.pages.templatetags import frame

pytestmark = pytest.mark.django_db


def make_user(name, **fields):
    users = get_user_model().objects
    email = f"{name}@example.org"
    return users.filter(email=email).first() or users.create_user(email=email, password=None, **fields)


def menu(client, address="/papers"):
    return get(client, address).texts("//nav[@class='site-nav']//a")


def test_the_frame_follows_the_reader(client):
    for _ in range(2):
        client.logout()
        anonymous = menu(client)
        assert "Sign in" in anonymous
        assert not {"Sign out", "Admin"} & set(anonymous)
        client.force_login(make_user("reader"))
        reader = menu(client)
        assert "Sign out" in reader
        assert not {"Sign in", "Admin"} & set(reader)
        client.force_login(make_user("staff", is_staff=True))
        assert {"Sign out", "Admin"} <= set(menu(client))


def test_the_frame_follows_the_page(client):
    for _ in range(2):
        assert get(client, "/papers").one("//nav[@class='site-nav']/a[@aria-current]") == "Papers"
        assert get(client, "/categories").one("//nav[@class='site-nav']/a[@aria-current]") == "Categories"
        assert get(client, "/").texts("//header//form[@role='search']") == []
        assert len(get(client, "/papers").texts("//header//form[@role='search']")) == 1


def test_a_part_knows_only_what_it_is_given():
    template = Template('{% load frame %}{% frame_part "components/site_footer.html" footer_pages=pages %}')
    html = template.render(Context({"pages": (("/a", "A & B"),), "signed_in": True}))
    assert '<a href="/a">A &amp; B</a>' in html
    assert "Sign in" in html
    assert "Sign out" not in html


def test_nothing_is_kept_while_templates_are_edited(settings):
    template = Template('{% load frame %}{% frame_part "components/head_links.html" %}')
    template.render(Context())
    before = frame._render.cache_info()
    settings.DEBUG = True
    template.render(Context())
    assert frame._render.cache_info() == before
    settings.DEBUG = False
    template.render(Context())
    assert frame._render.cache_info().hits == before.hits + 1
