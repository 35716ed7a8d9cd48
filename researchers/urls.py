"""Addresses of researchers."""

from django.urls import URLPattern

app_name = "researchers"

urlpatterns: list[URLPattern] = []
