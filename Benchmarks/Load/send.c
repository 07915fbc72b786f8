// Sends requests over connections that are kept alive, as fast as they are answered: usher's load.
//
//     send open PORT CONNECTIONS WALK SESSIONS COUNT EVENTS     opens sessions, sends each so many events, one after
//                                                               the other, and writes them to the file SESSIONS
//     send end PORT CONNECTIONS WALK SESSIONS COUNT EVENTS      … and then ends them, and writes nothing
//     send events PORT CONNECTIONS WALK SESSIONS seconds N      sends the sessions of a file their next events, in an
//     send events PORT CONNECTIONS WALK SESSIONS requests N     order that goes all over them, and notes how far they are
//     send looks PORT CONNECTIONS WALK SESSIONS seconds|requests N     … or asks for their states
//
// PORT may be several with commas between them: each connection sends its next request to the next of these servers.
//
// The last line is `measured requests=… microseconds=… bytes=… p50=… p99=… p999=…`: bytes of the answers, latencies in
// microseconds. The first answer that is an error ends it with status 1.

#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "fail.h"
#include "latencies.h"
#include "turns.h"

enum { MAXIMUM_CONNECTIONS = 1024, ARGUMENTS = 8 };

static struct turns turns = {.requests_left = SIZE_MAX, .deadline = UINT64_MAX};
static struct latencies latencies;
static uint64_t bytes;

/// Reads what a connection has; returns false if that was its last answer.
static bool receive(struct connection *connection) {
    if (!connection_receive(connection)) return true;
    latencies_add(&latencies, nanoseconds_now() - connection->sent_at);
    bytes += connection->expected;
    return turns_go_on(&turns, connection);
}

/// The time to wait for an answer, for epoll.
static int patience(void) {
    // With a core of its own never asleep: a server that is slower than the load would pay for waking it, and a faster
    // one would not. On a core that it shares it would take the server's time.
    return sysconf(_SC_NPROCESSORS_ONLN) > 1 && !getenv("SEND_SHARES_CORE") ? 0 : -1;
}

static void watch(int poll, struct connection *connection) {
    for (size_t i = 0; i < connection->servers; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, connection->sockets[i], &event) != 0) FAIL("a connection cannot be watched");
    }
}

static void run(const struct servers *servers, size_t count) {
    struct epoll_event ready[MAXIMUM_CONNECTIONS];
    struct connection *all = calloc(count, sizeof *all);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    int timeout = patience();
    size_t at_work = 0;
    if (!all || poll < 0) FAIL("out of memory or files");
    for (size_t i = 0; i < count; i++) {
        connection_open(&all[i], servers);
        watch(poll, &all[i]);
    }
    for (size_t i = 0; i < count; i++) at_work += turns_begin(&turns, &all[i]);
    while (at_work > 0) {
        int events = epoll_wait(poll, ready, MAXIMUM_CONNECTIONS, timeout);
        for (int i = 0; i < events; i++) at_work -= !receive(ready[i].data.ptr);
    }
}

/// Reads the last two arguments: how much is to be done.
static void read_amount(const char *first, const char *second) {
    size_t amount = strtoul(second, NULL, 10);
    if (turns.is_opening) {
        sessions_make(&turns.sessions, strtoul(first, NULL, 10));
        turns.events = amount;
    } else if (strcmp(first, "requests") == 0) {
        turns.requests_left = amount;
    } else {
        turns.deadline = nanoseconds_now() + amount * 1000000000u;
    }
}

static void print_measured(uint64_t start) {
    printf(
        "measured requests=%lu microseconds=%lu bytes=%lu p50=%.1f p99=%.1f p999=%.1f\n", latencies.count,
        (nanoseconds_now() - start) / 1000, bytes, latencies_percentile(&latencies, 0.5),
        latencies_percentile(&latencies, 0.99), latencies_percentile(&latencies, 0.999));
}

int main(int count, char **arguments) {
    if (count != ARGUMENTS) FAIL("usage: see the head of send.c");
    const char *path = arguments[5];
    unsigned long connections = strtoul(arguments[3], NULL, 10);
    struct servers servers;
    servers_read(&servers, arguments[2]);
    turns.is_looking = strcmp(arguments[1], "looks") == 0;
    turns.is_ending = strcmp(arguments[1], "end") == 0;
    turns.is_opening = turns.is_ending || strcmp(arguments[1], "open") == 0;
    walk_read(&turns.walk, arguments[4]);
    if (!turns.is_opening) sessions_read(&turns.sessions, path);
    read_amount(arguments[6], arguments[7]);
    if (connections == 0 || connections > MAXIMUM_CONNECTIONS || (!turns.is_opening && connections > turns.sessions.count))
        FAIL("%lu connections are none, too many, or more than sessions", connections);
    uint64_t start = nanoseconds_now();
    run(&servers, connections);
    print_measured(start);
    if (!turns.is_ending) sessions_write(&turns.sessions, path);
    return 0;
}
