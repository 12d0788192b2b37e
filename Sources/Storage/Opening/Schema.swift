import SQL

/// The migrations that this build knows.
enum Schema {
  /// "Rowh" in ASCII: https://www.sqlite.org/pragma.html#pragma_application_id
  static let applicationID: Int32 = 0x526F_7768

  static let migrator = Migrator(
    applicationID: applicationID,
    migrations: [
      // The embedding tool names its constants after the files, with "_" for a leading digit.
      Migration(number: 1, name: "initial", sql: PackageResources._001_initial_sql),
      Migration(number: 2, name: "search", sql: PackageResources._002_search_sql),
      Migration(number: 3, name: "imports", sql: PackageResources._003_imports_sql),
      Migration(number: 4, name: "answers", sql: PackageResources._004_answers_sql),
      Migration(number: 5, name: "tokens", sql: PackageResources._005_tokens_sql),
      Migration(number: 6, name: "navigators", sql: PackageResources._006_navigators_sql),
      Migration(number: 7, name: "history", sql: PackageResources._007_history_sql),
      Migration(number: 8, name: "photos", sql: PackageResources._008_photos_sql),
      Migration(number: 9, name: "depth", sql: PackageResources._009_depth_sql),
      Migration(number: 10, name: "homes", sql: PackageResources._010_homes_sql),
      Migration(number: 11, name: "screens", sql: PackageResources._011_screens_sql),
      Migration(number: 12, name: "newest", sql: PackageResources._012_newest_sql),
      Migration(number: 13, name: "arrangements", sql: PackageResources._013_arrangements_sql),
      Migration(number: 14, name: "arrivals", sql: PackageResources._014_arrivals_sql),
      Migration(number: 15, name: "scoped_search", sql: PackageResources._015_scoped_search_sql),
      Migration(number: 16, name: "sync", sql: PackageResources._016_sync_sql),
      Migration(number: 17, name: "token_use", sql: PackageResources._017_token_use_sql),
      Migration(number: 18, name: "invitations", sql: PackageResources._018_invitations_sql),
      Migration(number: 19, name: "renditions", sql: PackageResources._019_renditions_sql),
      Migration(number: 20, name: "looks", sql: PackageResources._020_looks_sql),
      Migration(number: 21, name: "digests", sql: PackageResources._021_digests_sql),
      Migration(number: 22, name: "steps_of_rows", sql: PackageResources._022_steps_of_rows_sql),
    ])

  #if PostgreSQL
    /// The migrations of a PostgreSQL server's database.
    static let serverMigrator = Migrator(
      applicationID: applicationID,
      migrations: [
        Migration(number: 1, name: "tables", sql: PackageResources._001_tables_sql),
        Migration(number: 2, name: "digests", sql: PackageResources._002_digests_sql),
        Migration(number: 3, name: "steps_of_rows", sql: PackageResources._003_steps_of_rows_sql),
      ])
  #endif
}
