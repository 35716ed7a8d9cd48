from django.db import migrations


class Migration(migrations.Migration):
    """How many requests each client has spent in the current window, for sites whose cache is the database.

    Unlogged: it holds counters of the last minutes, which a crash may take.
    """

    initial = True

    operations = [
        migrations.RunSQL(
            "CREATE UNLOGGED TABLE rest_spending ("
            " client varchar(64) NOT NULL, period bigint NOT NULL, spent integer NOT NULL, PRIMARY KEY (client, period));"
            "CREATE INDEX rest_spending_period ON rest_spending (period);",
            "DROP TABLE rest_spending",
        ),
    ]
