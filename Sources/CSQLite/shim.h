#pragma once
#include <stddef.h>
#include <sqlite3.h>

// Swift cannot use SQLite's variadic functions, and its macros with casts, so these functions use them.

/// Turns an option of a connection on or off.
static inline int usher_configure(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, NULL);
}

/// Binds bytes, which SQLite copies immediately.
static inline int usher_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    // A null pointer would bind NULL instead of an empty blob.
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Binds UTF-8, which SQLite copies immediately.
static inline int usher_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
