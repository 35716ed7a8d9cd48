from papers.models import Paper


def papers_exist() -> None:
    """One is enough."""
    Paper.objects.create(title="On the weaving of baskets")
