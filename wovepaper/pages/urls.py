"""Home, flat pages, health and files for machines."""

from django.urls import URLPattern, URLResolver, path

from wovepaper.pages import flat, health, home, machines

app_name = "pages"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("livez", health.livez, name="livez"),
    path("readyz", health.readyz, name="readyz"),
    path("robots.txt", machines.robots, name="robots"),
    path("favicon.ico", machines.favicon, name="favicon"),
    path("opensearch.xml", machines.opensearch, name="opensearch"),
    # Last: it answers for every address that is left.
    path("<path:path>", flat.flat_page, name="flat_page"),
]
