import accounts.models.alert
import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Events of papers, notifications of readers, and the mail that brings them."""

    dependencies = [
        ("accounts", "0003_cache"),
        ("papers", "0006_counts_of_records"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="mail_refusal",
            field=models.TextField(blank=True, default="", help_text="What the mail server said to the address."),
        ),
        migrations.AddField(
            model_name="user",
            name="mail_stopped_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Since when no mail with alerts is sent: at the reader's wish, or see below.",
                null=True,
            ),
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("channel", models.CharField(choices=[("mail", "Mail")], default="mail", max_length=4)),
                (
                    "cadence",
                    models.CharField(
                        choices=[("at_once", "At once"), ("daily", "Daily"), ("weekly", "Weekly")], max_length=7
                    ),
                ),
                (
                    "period",
                    models.CharField(
                        help_text="The reader's day it is for (weekly: a Monday); at once: the moment.", max_length=40
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("sent", "Sent"),
                            ("failed", "Failed"),
                            ("withheld", "Not sent: alerts rest"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                (
                    "message_id",
                    models.CharField(
                        default=accounts.models.alert.new_message_id, editable=False, max_length=200, unique=True
                    ),
                ),
                ("address", models.EmailField(blank=True, help_text="Where it was last sent to.", max_length=254)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("available_at", models.DateTimeField(help_text="Not before this time.")),
                ("error", models.TextField(blank=True)),
                ("created_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
            },
        ),
        migrations.CreateModel(
            name="PaperEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("new", "New paper"),
                            ("cross_list", "Cross-listed"),
                            ("revision", "New version"),
                            ("withdrawn", "Withdrawn"),
                            ("published", "Published"),
                            ("retracted", "Retracted"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "detail",
                    models.CharField(
                        blank=True, help_text="The number of the version, or the code of the category.", max_length=32
                    ),
                ),
                ("day", models.DateField(help_text="When it happened, as the sources date it.")),
                ("noticed_at", models.DateTimeField(help_text="When the catalogue came to know of it.")),
                (
                    "paper",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="papers.paper"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Notification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reasons",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64),
                        help_text="What was followed, as kind:key of its root; cross_list:code where it was listed there too.",
                        size=None,
                    ),
                ),
                (
                    "cadence",
                    models.CharField(
                        choices=[("at_once", "At once"), ("daily", "Daily"), ("weekly", "Weekly")],
                        help_text="The most frequent of its follows.",
                        max_length=7,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                (
                    "delivery",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="notifications",
                        to="accounts.delivery",
                    ),
                ),
                (
                    "paper",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notifications", to="papers.paper"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications",
                        to="accounts.paperevent",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("state", "waiting")), fields=["available_at"], name="delivery_waiting"
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(fields=["user", "-id"], name="delivery_newest"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(fields=("user", "channel", "cadence", "period"), name="delivery_once"),
        ),
        migrations.AddConstraint(
            model_name="paperevent",
            constraint=models.UniqueConstraint(fields=("paper", "kind", "detail"), name="paper_event_once"),
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(fields=["user", "-id"], name="notification_newest"),
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(condition=models.Q(("read_at", None)), fields=["user"], name="notification_unread"),
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(
                condition=models.Q(("delivery", None)), fields=["user", "cadence"], name="notification_unsent"
            ),
        ),
        migrations.AddConstraint(
            model_name="notification",
            constraint=models.UniqueConstraint(fields=("user", "paper", "event"), name="notification_once"),
        ),
    ]
