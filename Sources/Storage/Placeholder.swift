let migrationBytes = PackageResources._001_initial_sql
