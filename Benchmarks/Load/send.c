// The load for usher: sends requests over kept-alive connections, each as soon as the previous one was answered.
//
//     send open PORT CONNECTIONS WALK SESSIONS COUNT EVENTS     opens sessions, sends each EVENTS events, one after
//                                                               the other, and writes them to the file SESSIONS
//     send end PORT CONNECTIONS WALK SESSIONS COUNT EVENTS      … and then ends them, and writes nothing
//     send events PORT CONNECTIONS WALK SESSIONS seconds N      sends sessions from a file their next events, in a
//     send events PORT CONNECTIONS WALK SESSIONS requests N     scattered order, and stores their progress
//     send rounds PORT CONNECTIONS WALK SESSIONS PROCESS N      … or sends all of them an event, then the next, for N seconds
//     send people PORT CONNECTIONS WALK SESSIONS COUNT N        … or COUNT of them, after think times, for N seconds
//     send looks PORT CONNECTIONS WALK SESSIONS seconds|requests N     … or reads their states
//
// PORT may be a list with commas: each connection sends its next request to the next of these servers.
//
// The last line is `measured requests=… microseconds=… bytes=… p50=… p99=… p999=…`: `bytes` is the size of all answers,
// latencies are in microseconds. Rounds add `cpu0=… cpu1=…`: the CPU time of the server PROCESS in microseconds, for
// each event of the walk's cycle. The first error answer ends the program with status 1.

#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "fail.h"
#include "latencies.h"
#include "rounds.h"
#include "thinking.h"

enum { MAXIMUM_CONNECTIONS = 1024, ARGUMENTS = 8 };

static struct turns turns = {.requests_left = SIZE_MAX, .deadline = UINT64_MAX};
static struct rounds rounds;
static struct latencies latencies;
static uint64_t bytes;

/// Reads the available bytes of a connection; returns true if its answer is complete.
static bool receive(struct connection *connection) {
    if (!connection_receive(connection)) return false;
    latencies_add(&latencies, nanoseconds_now() - connection->sent_at);
    bytes += connection->expected;
    return true;
}

/// Returns the time limit for epoll's wait for an answer.
static int patience(void) {
    // With its own core, the load never sleeps: otherwise a server that is slower than the load would pay for waking
    // the load, and a faster server would not. On a shared core, polling would use the server's time.
    return sysconf(_SC_NPROCESSORS_ONLN) > 1 && !getenv("SEND_SHARES_CORE") ? 0 : -1;
}

static void watch(int poll, struct connection *connection) {
    for (size_t i = 0; i < connection->servers; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, connection->sockets[i], &event) != 0) FAIL("a connection cannot be watched");
    }
}

/// The connections, and the epoll descriptor that waits for their answers.
struct load {
    size_t count;
    struct connection *connections;
    int poll, timeout;
};

static void connect_all(struct load *load, const struct servers *servers, size_t count) {
    *load = (struct load){count, calloc(count, sizeof *load->connections), epoll_create1(EPOLL_CLOEXEC), patience()};
    if (!load->connections || load->poll < 0) FAIL("out of memory or files");
    for (size_t i = 0; i < count; i++) {
        connection_open(&load->connections[i], servers);
        watch(load->poll, &load->connections[i]);
    }
}

/// Sends requests over all connections in turn, until there is nothing left to send.
static void take_turns(const struct load *load) {
    struct epoll_event ready[MAXIMUM_CONNECTIONS];
    size_t at_work = 0;
    for (size_t i = 0; i < load->count; i++) at_work += turns_begin(&turns, &load->connections[i]);
    while (at_work > 0) {
        int events = epoll_wait(load->poll, ready, MAXIMUM_CONNECTIONS, load->timeout);
        for (int i = 0; i < events; i++) {
            struct connection *connection = ready[i].data.ptr;
            if (receive(connection)) at_work -= !turns_go_on(&turns, connection);
        }
    }
}

static void take_rounds(const struct load *load, int process) {
    rounds.deadline = turns.deadline;
    turns.deadline = UINT64_MAX;
    rounds_watch(&rounds, &turns, process);
    while (rounds_begin(&rounds)) {
        take_turns(load);
        rounds_end(&rounds);
    }
}

static void be_people(const struct load *load, size_t count) {
    struct epoll_event ready[MAXIMUM_CONNECTIONS];
    struct thinking thinking;
    thinking_begin(&thinking, &turns, load->connections, load->count, count);
    while (thinking_go_on(&thinking)) {
        int events = epoll_wait(load->poll, ready, MAXIMUM_CONNECTIONS, thinking_patience(&thinking));
        for (int i = 0; i < events; i++)
            if (receive(ready[i].data.ptr)) thinking_note(&thinking, ready[i].data.ptr);
    }
}

/// Parses the last two arguments, which say how much to send.
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
        "measured requests=%lu microseconds=%lu bytes=%lu p50=%.1f p99=%.1f p999=%.1f", latencies.count,
        (nanoseconds_now() - start) / 1000, bytes, latencies_percentile(&latencies, 0.5),
        latencies_percentile(&latencies, 0.99), latencies_percentile(&latencies, 0.999));
    if (rounds.turns) rounds_print(&rounds);
    putchar('\n');
}

/// Performs a verb with all connections.
static void run(const char *verb, const struct load *load, const char *first) {
    if (strcmp(verb, "rounds") == 0) take_rounds(load, atoi(first));
    else if (strcmp(verb, "people") == 0) be_people(load, strtoul(first, NULL, 10));
    else take_turns(load);
}

int main(int count, char **arguments) {
    if (count != ARGUMENTS) FAIL("usage: see the head of send.c");
    const char *path = arguments[5];
    unsigned long connections = strtoul(arguments[3], NULL, 10);
    struct servers servers;
    struct load load;
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
    connect_all(&load, &servers, connections);
    run(arguments[1], &load, arguments[6]);
    print_measured(start);
    if (!turns.is_ending) sessions_write(&turns.sessions, path);
    return 0;
}
