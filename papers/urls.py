"""Addresses of papers, categories and search."""

from django.urls import URLPattern, URLResolver

app_name = "papers"
urlpatterns: list[URLPattern | URLResolver] = []
