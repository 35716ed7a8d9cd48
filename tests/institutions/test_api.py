import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from institutions.models import Institution
from tests.factories import InstitutionFactory
from tests.papers.test_api import ask, problem

pytestmark = pytest.mark.django_db


def test_an_institution_by_number_and_by_ror_id(client):
    hall = InstitutionFactory(
        display_name="Loom Hall", paper_count=3, established=1851, homepage="https://hall.example"
    )
    hall.names.create(value="Loom Hall", lang="en", kind="label", key=" loom hall")
    hall.names.create(value="LH", kind="acronym", key=" lh")
    hall.identifiers.create(scheme="grid", value="grid.1.2")
    hall.refresh_from_db()
    expected = {
        "id": hall.pk,
        "url": f"{settings.SITE_URL}/institutions/{hall.pk}-loom-hall",
        "ror": f"https://ror.org/{hall.ror_id}",
        "name": "Loom Hall",
        "names": [
            {"value": "Loom Hall", "lang": "en", "kind": "label"},
            {"value": "LH", "lang": None, "kind": "acronym"},
        ],
        "kinds": ["education"],
        "status": "active",
        "established": 1851,
        "country": "GB",
        "city": "Threadham",
        "latitude": None,
        "longitude": None,
        "homepage": "https://hall.example",
        "domains": [],
        "identifiers": [{"scheme": "grid", "value": "grid.1.2"}],
        "paper_count": 3,
        "researcher_count": 0,
        "updated_at": hall.updated_at.isoformat().replace("+00:00", "Z"),
    }
    for ref in (hall.pk, hall.ror_id, hall.ror_id.upper(), f"https://ror.org/{hall.ror_id}", f"ror.org/{hall.ror_id}"):
        with CaptureQueriesContext(connection) as captured:
            assert ask(client, f"/api/v1/institutions/{ref}") == expected
        assert len(captured) <= 4


@pytest.mark.parametrize("ref", ["0", "999999999", "Loom Hall", "1%00", "0zzzzzz00"])
def test_what_is_not_known_is_not_found(client, ref):
    problem(client, f"/api/v1/institutions/{ref}", 404, "not-found")


def test_a_merged_one_leads_on(client):
    kept, lost = InstitutionFactory(), InstitutionFactory()
    Institution.objects.filter(pk=lost.pk).update(merged_into=kept, root=kept)
    for ref in (lost.pk, lost.ror_id):
        response = client.get(f"/api/v1/institutions/{ref}?select=id")
        assert response.status_code == 301
        assert response.headers["Location"] == f"/api/v1/institutions/{kept.pk}?select=id"
