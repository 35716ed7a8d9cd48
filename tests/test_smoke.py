import pytest

from accounts.models import User


@pytest.mark.django_db
def test_a_user_is_known_by_the_address():
    user = User.objects.create_user("Reader@Example.org", "correct horse")
    assert User.objects.get_by_natural_key("reader@example.org") == user
