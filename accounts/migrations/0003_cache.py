from django.db import migrations


class Migration(migrations.Migration):
    """Addresses in small letters; and the table of the cache, for sites that have no server for it.

    As ``createcachetable`` would make it, but unlogged: it holds counters of the last minutes, which a crash may take.
    """

    dependencies = [("accounts", "0002_follows")]

    operations = [
        migrations.RunSQL(
            "UPDATE accounts_user SET email = lower(email) WHERE email <> lower(email)", migrations.RunSQL.noop
        ),
        migrations.RunSQL(
            "CREATE UNLOGGED TABLE IF NOT EXISTS accounts_cache ("
            " cache_key varchar(255) NOT NULL PRIMARY KEY, value text NOT NULL, expires timestamptz NOT NULL);"
            "CREATE INDEX IF NOT EXISTS accounts_cache_expires ON accounts_cache (expires);",
            "DROP TABLE accounts_cache",
        ),
    ]
