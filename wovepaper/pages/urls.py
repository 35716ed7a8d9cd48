"""Home, flat pages, health and files for machines."""

from django.urls import URLPattern, URLResolver, path, re_path

from wovepaper.pages import flat, health, home, machines, sitemaps
from wovepaper.pages.feeds import views as feeds

app_name = "pages"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("livez", health.livez, name="livez"),
    path("readyz", health.readyz, name="readyz"),
    path("robots.txt", machines.robots, name="robots"),
    path("llms.txt", machines.llms, name="llms"),
    path("favicon.ico", machines.favicon, name="favicon"),
    path("opensearch.xml", machines.opensearch, name="opensearch"),
    path("sitemap.xml", sitemaps.sitemap_index, name="sitemap_index"),
    path("sitemaps/pages.xml", sitemaps.sitemap_pages, name="sitemap_pages"),
    re_path(
        r"^sitemaps/(?P<name>papers|researchers|institutions)-(?P<number>[0-9]{1,9})\.xml$",
        sitemaps.sitemap_file,
        name="sitemap_file",
    ),
    re_path(r"^(?P<form>rss|atom)/latest\.xml$", feeds.latest, name="latest_feed"),
    re_path(r"^(?P<form>rss|atom)/categories/(?P<code>[\w.-]{1,32})\.xml$", feeds.category, name="category_feed"),
    re_path(r"^(?P<form>rss|atom)/researchers/(?P<number>[0-9]+)\.xml$", feeds.researcher, name="researcher_feed"),
    re_path(r"^(?P<form>rss|atom)/institutions/(?P<number>[0-9]+)\.xml$", feeds.institution, name="institution_feed"),
    re_path(r"^(?P<form>rss|atom)/search\.xml$", feeds.search, name="search_feed"),
    # Last: it answers for every address that is left.
    path("<path:path>", flat.flat_page, name="flat_page"),
]
