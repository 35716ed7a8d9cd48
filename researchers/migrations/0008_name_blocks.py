from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("researchers", "0007_names_in_the_admin"),
    ]

    operations = [
        migrations.CreateModel(
            name="NameBlock",
            fields=[
                (
                    "key",
                    models.CharField(
                        help_text="Family name and first initial.", max_length=200, primary_key=True, serialize=False
                    ),
                ),
                (
                    "together",
                    models.PositiveIntegerField(help_text="Authors when all of them were last decided together."),
                ),
                (
                    "since",
                    models.PositiveIntegerField(default=0, help_text="Authors that came one by one since."),
                ),
            ],
        ),
    ]
