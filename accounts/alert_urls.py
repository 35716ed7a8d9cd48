"""Addresses of follows, inbox and mail."""

from django.urls import path

from accounts.views import alerts, following

app_name = "alerts"
urlpatterns = [
    path("follows", following.follows, name="follows"),
    path("follows/add", following.add, name="add"),
    path("follows/remove", following.remove, name="remove"),
    path("follows/all", following.change_all, name="change_all"),
    path("follows/<int:follow_id>", following.change, name="change"),
    path("inbox", alerts.inbox, name="inbox"),
    path("inbox/read", alerts.read, name="read"),
    path("inbox/seen", alerts.seen, name="seen"),
    path("inbox/mail", alerts.deliveries, name="deliveries"),
    path("inbox/mail/<int:delivery_id>", alerts.delivery, name="delivery"),
    path("unsubscribe/<str:token>", alerts.unsubscribe, name="unsubscribe"),
]
