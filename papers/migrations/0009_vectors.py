"""Vectors of papers, for search by meaning."""

import django.db.models.deletion
import pgvector.django
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("papers", "0008_references")]

    operations = [
        pgvector.django.VectorExtension(),
        migrations.CreateModel(
            name="PaperVector",
            fields=[
                (
                    "paper",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="vector",
                        serialize=False,
                        to="papers.paper",
                    ),
                ),
                ("encoder", models.CharField(max_length=64)),
                ("text_hash", models.CharField(help_text="MD5 of what was encoded.", max_length=32)),
                ("embedding", pgvector.django.HalfVectorField()),
            ],
            options={"indexes": [models.Index(fields=["encoder", "paper"], name="vector_by_encoder")]},
        ),
    ]
