import pytest
from django.contrib.auth import get_user_model
from django.contrib.flatpages.models import FlatPage

from tests.html import get
from wovepaper.pages.services import write_first_texts
from wovepaper.pages.texts import FIRST_TEXTS

pytestmark = pytest.mark.django_db


class TestFirstTexts:
    @pytest.mark.parametrize("text", FIRST_TEXTS, ids=lambda text: text.title)
    def test_every_page_of_the_foot_is_there_from_the_first_migration(self, client, text):
        address = text.url.rstrip("/")
        page = get(client, address)
        assert page.one("//h1") == text.title
        assert page.value("//link[@rel='canonical']/@href") == f"http://localhost:8000{address}"
        assert address in page.all("//footer//a/@href")
        assert page.all("//main//p")

    def test_what_staff_changed_stays(self):
        FlatPage.objects.filter(url="/about/").update(content="Ours now.")
        FlatPage.objects.filter(url="/contact/").update(url="/contact")
        assert write_first_texts() == []
        assert FlatPage.objects.get(url="/about/").content == "Ours now."

    def test_what_is_missing_comes_back(self):
        FlatPage.objects.filter(url="/about/").delete()
        assert write_first_texts() == ["/about/"]
        assert list(FlatPage.objects.get(url="/about/").sites.values_list("pk", flat=True)) == [1]

    def test_every_link_in_them_leads_somewhere(self, client):
        for text in FIRST_TEXTS:
            page = get(client, text.url.rstrip("/"))
            for link in page.all("//main//a/@href"):
                assert link.startswith("https://") or client.get(link).status_code == 200, link


class TestAddresses:
    def test_staff_may_write_pages_at_any_address(self, client):
        FlatPage.objects.create(
            url="/help/looms/", title="Help & looms", content="# Hello\n\nSome *words* <script>x</script>"
        )
        page = get(client, "/help/looms")
        assert page.one("//h1") == "Help & looms"
        assert page.one("//main//h2") == "Hello"
        assert page.one("//main//em") == "words"
        assert page.value("//meta[@name='description']/@content").startswith("Hello Some")

    @pytest.mark.parametrize(
        ("address", "target"),
        [
            ("/about/", "/about"),
            ("/papers/", "/papers"),
            ("/categories/cs.CL/", "/categories/cs.CL"),
            ("/accounts/login", "/accounts/login/"),
            ("/admin", "/admin/"),
        ],
    )
    def test_the_other_form_of_the_last_slash_redirects(self, client, address, target):
        response = client.get(address)
        assert (response.status_code, response.headers["location"]) == (301, target)

    @pytest.mark.parametrize(
        "address",
        ["//evil.example/", "//evil.example", "///evil.example/", "/\\evil.example/", "/%2F/evil.example/",
         "/%2Fevil.example/", "/no/", "/no//", "/about//", "/a\x00b", "/about\x00"],
    )  # fmt: skip
    def test_no_address_leads_off_the_site(self, client, address):
        response = client.get("/", PATH_INFO=address)
        location = response.headers.get("location", "")
        assert response.status_code in {301, 404}
        assert not location or (location.startswith("/") and location[1:2] not in {"/", "\\"}), location

    def test_a_page_for_members_asks_to_sign_in(self, client):
        FlatPage.objects.create(url="/inside/", title="Inside", content="x", registration_required=True)
        response = client.get("/inside")
        assert (response.status_code, response.headers["location"]) == (302, "/accounts/login/?next=/inside")
        client.force_login(get_user_model().objects.create_user("a@example.org"))
        assert get(client, "/inside").one("//h1") == "Inside"

    @pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
    def test_other_methods_are_refused(self, client, method):
        response = getattr(client, method)("/about")
        assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD")


class TestAdmin:
    @pytest.fixture
    def staff(self, client):
        client.force_login(get_user_model().objects.create_superuser("staff@example.org"))
        return client

    def test_staff_edit_markdown(self, staff, client):
        found = FlatPage.objects.get(url="/about/")
        page = get(staff, f"/admin/flatpages/flatpage/{found.pk}/change/")
        assert "Markdown" in page.one("//div[contains(@class, 'field-content')]//div[contains(@class, 'help')]")
        response = staff.post(
            f"/admin/flatpages/flatpage/{found.pk}/change/",
            {"url": "/about/", "title": "About us", "content": "## New\n\n**words**", "sites": ["1"]},
        )
        assert response.status_code == 302
        page = get(client, "/about")
        assert (page.one("//h1"), page.one("//main//strong")) == ("About us", "words")

    def test_readers_do_not(self, client):
        client.force_login(get_user_model().objects.create_user("a@example.org"))
        found = FlatPage.objects.get(url="/about/")
        assert client.post(f"/admin/flatpages/flatpage/{found.pk}/change/", {"title": "x"}).status_code == 302
        found.refresh_from_db()
        assert found.title == "About"
