// The lower bound for a durable server: SQLite alone commits groups of rows, one row per event, and does nothing else.
// The table is like the one in which usher's journal stores events (write-ahead log, synchronous=FULL).
//
//     journal FILE ROW_BYTES ROWS_A_GROUP SECONDS [HEAD_BYTES]        ROWS_A_GROUP is a mean, possibly with a fraction
//
// With HEAD_BYTES, each row also rewrites a row of its session, as usher rewrites a session's header.
// Prints `measured rows=… groups=… microseconds=… cpu=…`, cpu is in microseconds.

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// The sessions get rows in turn, in the same order as the load sends events to the server.
enum { SESSIONS = 1000, KEY_BYTES = 16 };

static sqlite3 *database;
static sqlite3_stmt *begin, *insert, *rewrite, *commit;
static unsigned char keys[SESSIONS][KEY_BYTES];

static void check(int result) {
    if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) return;
    fprintf(stderr, "journal: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

static void run(sqlite3_stmt *statement) {
    check(sqlite3_step(statement));
    check(sqlite3_reset(statement));
}

static void open_database(const char *path) {
    check(sqlite3_open(path, &database));
    check(sqlite3_exec(
        database,
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "PRAGMA cache_size = -16384;"
        "CREATE TABLE rows(session BLOB NOT NULL, slot INTEGER NOT NULL, content BLOB NOT NULL,"
        "PRIMARY KEY(session, slot)) WITHOUT ROWID",
        NULL, NULL, NULL));
    begin = prepared("BEGIN IMMEDIATE");
    insert = prepared("INSERT INTO rows VALUES (?1, ?2, ?3)");
    rewrite = prepared("INSERT OR REPLACE INTO rows VALUES (?1, ?2, ?3)");
    commit = prepared("COMMIT");
    srandom(1);
    for (size_t i = 0; i < sizeof keys; i++) keys[i / KEY_BYTES][i % KEY_BYTES] = (unsigned char)random();
}

static void write_row(sqlite3_stmt *statement, uint64_t row, sqlite3_int64 slot, const char *content, int size) {
    check(sqlite3_bind_blob(statement, 1, keys[row % SESSIONS], KEY_BYTES, SQLITE_STATIC));
    check(sqlite3_bind_int64(statement, 2, slot));
    check(sqlite3_bind_blob(statement, 3, content, size, SQLITE_STATIC));
    run(statement);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    char content[4096];
    if (count != 5 && count != 6)
        return fprintf(stderr, "journal: usage: journal FILE ROW_BYTES ROWS_A_GROUP SECONDS [HEAD_BYTES]\n"), 2;
    int size = atoi(arguments[2]), head = count == 6 ? atoi(arguments[5]) : 0;
    double group = atof(arguments[3]), seconds = atof(arguments[4]), start, elapsed;
    if (size < 1 || size > (int)sizeof content || head > (int)sizeof content || group < 1) return fprintf(stderr, "journal: wrong size\n"), 2;
    memset(content, 'x', sizeof content);
    open_database(arguments[1]);
    uint64_t rows = 0, groups = 0;
    clock_t processor = clock();
    start = now();
    do {
        groups++;
        run(begin);
        for (; (double)rows < (double)groups * group; rows++) {
            write_row(insert, rows, (sqlite3_int64)(rows / SESSIONS), content, size);
            if (head > 0) write_row(rewrite, rows, -1, content, head);
        }
        run(commit);
        elapsed = now() - start;
    } while (elapsed < seconds);
    printf(
        "measured rows=%lu groups=%lu microseconds=%.0f cpu=%ld\n", rows, groups, elapsed * 1e6,
        (long)(clock() - processor));
    return 0;
}
