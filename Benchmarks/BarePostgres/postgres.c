// The lower bound for a journal in PostgreSQL: libpq alone, on a database with usher's tables.
//
//     postgres URI ping REQUESTS                  measures round trips of an empty statement
//     postgres URI insert ROW_BYTES SECONDS       commits one entry at a time with a plain INSERT (the bare insert)
//     postgres URI append STATEMENT ROWS_A_GROUP CONNECTIONS ROW_BYTES HEAD_BYTES SECONDS
//                                                 commits groups of entries with usher's statement, from a file;
//                                                 ROWS_A_GROUP is a mean, possibly with a fraction
//
// Before writing entries, the program prints `ready` and waits for a line. Then it prints `measured rows=… groups=…
// microseconds=… cpu=… p50=…`: the CPU time of this program and the median time of a group, in microseconds. It disconnects
// when its input ends.

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "../Load/connection.h"
#include "../Load/latencies.h"
#include "groups.h"

enum { MAXIMUM_CONNECTIONS = 64 };

static struct {
    uint64_t rows, groups, start, start_cpu;
    struct latencies latencies;
} measured;

static uint64_t cpu_microseconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000u +
           (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Waits for a line, so that another program can read its clocks.
static void await_line(void) {
    for (int byte = 0; byte != EOF && byte != '\n';) byte = getchar();
}

static void begin_measuring(bool is_awaited) {
    if (is_awaited) {
        puts("ready");
        fflush(stdout);
        await_line();
    }
    measured.start_cpu = cpu_microseconds();
    measured.start = nanoseconds_now();
}

static void print_measured(void) {
    printf(
        "measured rows=%lu groups=%lu microseconds=%lu cpu=%lu p50=%.1f\n", measured.rows, measured.groups,
        (nanoseconds_now() - measured.start) / 1000, cpu_microseconds() - measured.start_cpu,
        latencies_percentile(&measured.latencies, 0.5));
    fflush(stdout);
    await_line();
}

static PGconn *connected(const char *uri) {
    PGconn *database = PQconnectdb(uri);
    if (PQstatus(database) != CONNECTION_OK) FAIL("%s", PQerrorMessage(database));
    return database;
}

static void prepare(PGconn *database, const char *sql) {
    PGresult *result = PQprepare(database, "statement", sql, 0, NULL);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) FAIL("%s", PQerrorMessage(database));
    PQclear(result);
}

/// Runs the prepared statement, and waits for its end.
static void run(PGconn *database, int count, const char *const *values, const int *lengths, const int *formats) {
    uint64_t start = nanoseconds_now();
    PGresult *result = PQexecPrepared(database, "statement", count, values, lengths, formats, 1);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) FAIL("%s", PQerrorMessage(database));
    PQclear(result);
    latencies_add(&measured.latencies, nanoseconds_now() - start);
    measured.groups++;
}

static void ping(const char *uri, size_t requests) {
    PGconn *database = connected(uri);
    prepare(database, "SELECT 1");
    begin_measuring(false);
    while (measured.groups < requests) run(database, 0, NULL, NULL, NULL);
    print_measured();
    PQfinish(database);
}

static void insert(const char *uri, int row_bytes, uint64_t seconds) {
    char session[16] = "a bare session", revision[8], mark[8] = {0}, content[MAXIMUM_CONTENT];
    const char *values[] = {session, revision, mark, content};
    const int lengths[] = {sizeof session, sizeof revision, sizeof mark, row_bytes}, formats[] = {1, 1, 1, 1};
    PGconn *database = connected(uri);
    memset(content, 'x', sizeof content);
    prepare(database, "INSERT INTO usher.entries VALUES ($1::uuid, $2::int8, $3::int8, $4::bytea)");
    begin_measuring(true);
    do {
        write_integer(revision, measured.rows++);
        run(database, 4, values, lengths, formats);
    } while (nanoseconds_now() < measured.start + seconds * 1000000000u);
    print_measured();
    PQfinish(database);
}

/// Sends a connection's next group, whose size keeps the mean of all groups at the requested value.
static void send_group(PGconn *database, struct writer *writer, double mean) {
    size_t size = 0;
    for (measured.groups++; (double)measured.rows < (double)measured.groups * mean; size++) measured.rows++;
    writer_fill(writer, size);
    if (!PQsendQueryPrepared(
            database, "statement", GROUP_PARAMETERS, writer->values, writer->lengths, writer->formats, 1))
        FAIL("%s", PQerrorMessage(database));
    writer->sent_at = nanoseconds_now();
}

/// Reads the available bytes of a connection; returns false while its answer is incomplete.
static bool receive_group(PGconn *database, struct writer *writer) {
    if (!PQconsumeInput(database)) FAIL("%s", PQerrorMessage(database));
    while (!PQisBusy(database)) {
        PGresult *result = PQgetResult(database);
        if (!result) {
            latencies_add(&measured.latencies, nanoseconds_now() - writer->sent_at);
            return true;
        }
        if (PQresultStatus(result) != PGRES_TUPLES_OK) FAIL("%s", PQerrorMessage(database));
        writer_check(writer, (size_t)PQntuples(result));
        PQclear(result);
    }
    return false;
}

static void append(const char *uri, const char *sql, double mean, size_t connections, struct sizes sizes, uint64_t seconds) {
    PGconn *databases[MAXIMUM_CONNECTIONS];
    struct writer *writers = calloc(connections, sizeof *writers);
    struct pollfd sockets[MAXIMUM_CONNECTIONS];
    if (!writers || connections > MAXIMUM_CONNECTIONS) FAIL("%zu connections are too many", connections);
    for (size_t i = 0; i < connections; i++) {
        databases[i] = connected(uri);
        writer_begin(&writers[i], databases[i], i, sizes);
        prepare(databases[i], sql);
        sockets[i] = (struct pollfd){.fd = PQsocket(databases[i]), .events = POLLIN};
    }
    begin_measuring(true);
    for (size_t i = 0; i < connections; i++) send_group(databases[i], &writers[i], mean);
    for (size_t at_work = connections; at_work > 0;) {
        if (poll(sockets, connections, -1) < 0) FAIL("poll failed");
        bool goes_on = nanoseconds_now() < measured.start + seconds * 1000000000u;
        for (size_t i = 0; i < connections; i++) {
            if (!sockets[i].revents || !receive_group(databases[i], &writers[i])) continue;
            if (goes_on) {
                send_group(databases[i], &writers[i], mean);
            } else {
                sockets[i].fd = -1;
                at_work--;
            }
        }
    }
    print_measured();
    for (size_t i = 0; i < connections; i++) PQfinish(databases[i]);
}

/// Returns the text of a file.
static char *text_of(const char *path) {
    enum { CAPACITY = 64 * 1024 };
    char *text = calloc(1, CAPACITY);
    FILE *file = fopen(path, "r");
    if (!text || !file || fread(text, 1, CAPACITY - 1, file) == 0) FAIL("%s cannot be read", path);
    fclose(file);
    return text;
}

int main(int count, char **arguments) {
    const char *verb = count > 2 ? arguments[2] : "";
    if (count == 4 && strcmp(verb, "ping") == 0) {
        ping(arguments[1], strtoul(arguments[3], NULL, 10));
    } else if (count == 5 && strcmp(verb, "insert") == 0) {
        insert(arguments[1], atoi(arguments[3]), strtoul(arguments[4], NULL, 10));
    } else if (count == 9 && strcmp(verb, "append") == 0) {
        struct sizes sizes = {.entry = strtoul(arguments[6], NULL, 10), .head = strtoul(arguments[7], NULL, 10)};
        append(
            arguments[1], text_of(arguments[3]), atof(arguments[4]), strtoul(arguments[5], NULL, 10), sizes,
            strtoul(arguments[8], NULL, 10));
    } else {
        FAIL("usage: see the head of postgres.c");
    }
    return 0;
}
