"""Home, flat pages, health and files for machines."""

from django.urls import URLPattern, URLResolver

app_name = "pages"
urlpatterns: list[URLPattern | URLResolver] = []
