#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import:
   https://www.sqlite.org/c3ref/c_static.html */
static inline int rowhouse_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int rowhouse_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* The pointer to an empty text may be null, and SQLite would make NULL of it. */
static inline void rowhouse_result_text(
    sqlite3_context *context, const char *text, sqlite3_uint64 count) {
  sqlite3_result_text64(context, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* sqlite3_db_config is variadic, and Swift calls no variadic C functions:
   https://www.sqlite.org/c3ref/db_config.html */
static inline int rowhouse_configure(sqlite3 *connection, int option, int on) {
  return sqlite3_db_config(connection, option, on, (int *)0);
}

/* sqlite3_config is variadic, too. Without memory statistics, SQLite takes no lock that all threads
   share for each allocation: https://www.sqlite.org/c3ref/c_config_covering_index_scan.html */
static inline int rowhouse_leave_out_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* The errno of the last failed call on the WAL file; 0 if there is none. SQLite often overwrites the
   one of sqlite3_system_errno before it returns:
   https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntllasterrno */
static inline int rowhouse_wal_error(sqlite3 *connection) {
  sqlite3_file *file = 0;
  int code = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK
      && file && file->pMethods)
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code);
  return code;
}

/* The functions of FTS5, or NULL where it is missing: https://www.sqlite.org/fts5.html#extending_fts5 */
static inline fts5_api *rowhouse_fts5(sqlite3 *connection) {
  fts5_api *api = 0;
  sqlite3_stmt *statement = 0;
  if (sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, 0) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", 0);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}
