"""Who is signed in, with what every page shows them of themselves, in the one query that is needed anyway."""

from __future__ import annotations

from typing import cast

from allauth.account.auth_backends import AuthenticationBackend
from django.db.models import TextField
from django.db.models.expressions import RawSQL

from accounts.models import User

MOST_COUNTED = 100
MOST_REMEMBERED = 300
"""Follows that come with the reader; whether more are followed is asked where it matters."""

_STATE = f"""
    (SELECT jsonb_build_object(
        'unread', (SELECT count(*) FROM (SELECT FROM accounts_notification
                                          WHERE user_id = accounts_user.id AND read_at IS NULL
                                          LIMIT {MOST_COUNTED}) AS unread),
        'follows', (SELECT coalesce(jsonb_agg(root), '[]') FROM (
            SELECT coalesce('category:' || follow.category_id, 'saved_search:' || follow.saved_search_id,
                            'researcher:' || person.root_id, 'institution:' || place.root_id,
                            'paper:' || coalesce(paper.redirect_to_id, paper.id)) AS root
              FROM accounts_follow AS follow
              LEFT JOIN researchers_researcher AS person ON person.id = follow.researcher_id
              LEFT JOIN institutions_institution AS place ON place.id = follow.institution_id
              LEFT JOIN papers_paper AS paper ON paper.id = follow.paper_id
             WHERE follow.user_id = accounts_user.id
             ORDER BY follow.id DESC LIMIT {MOST_REMEMBERED + 1}) AS each))::text)
"""  # noqa: S608 - put together of constants


class ReaderBackend(AuthenticationBackend):
    """Allauth's ways in; readers come with ``reading_state``, JSON of how much is unread and what they follow."""

    def get_user(self, user_id: int) -> User | None:
        """The account of a session, unless it sleeps."""
        state = RawSQL(_STATE, [], output_field=TextField())  # noqa: S611 - nothing in it comes from outside
        user = User.objects.annotate(reading_state=state).filter(pk=user_id).first()
        return cast("User", user) if user is not None and self.user_can_authenticate(user) else None
