from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("papers", "0003_citation_counts")]

    operations = [
        migrations.AlterField(
            model_name="authorship",
            name="name",
            field=models.TextField(help_text="The name shown: by precedence of sources, or one that takes its place."),
        ),
        migrations.AddField(
            model_name="authorship",
            name="replaced_name",
            field=models.TextField(
                blank=True,
                editable=False,
                help_text="What sources print by precedence, where the name shown takes its place. Matching goes by"
                " it; it is shown nowhere.",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="authorship",
            index=models.Index(
                condition=models.Q(replaced_name__isnull=False), fields=["id"], name="authorship_replaced"
            ),
        ),
    ]
