// Sends requests over connections that are kept alive, as fast as they are answered: usher's load.
//
//     send open PORT CONNECTIONS WALK SESSIONS COUNT EVENTS     opens sessions, sends each so many events, one after
//                                                               the other, and writes them to the file SESSIONS
//     send end PORT CONNECTIONS WALK SESSIONS COUNT EVENTS      … and then ends them
//     send events PORT CONNECTIONS WALK SESSIONS seconds N      sends the sessions of a file their next events, in an
//     send events PORT CONNECTIONS WALK SESSIONS requests N     order that goes all over them, and notes how far they are
//
// The last line is `measured requests=… microseconds=… bytes=… p50=… p99=… p999=…`: bytes of the answers, latencies in
// microseconds. The first answer that is an error ends it with status 1.

#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "connection.h"
#include "fail.h"
#include "latencies.h"
#include "sessions.h"
#include "walk.h"

enum { MAXIMUM_CONNECTIONS = 1024 };

static struct walk walk;
static struct sessions sessions;
static struct latencies latencies;
static bool is_opening, is_ending;
/// How many events each new session gets.
static size_t events_wanted;
/// How many sessions have been begun, or turns taken.
static size_t turns;
static size_t requests_left = SIZE_MAX;
static uint64_t deadline = UINT64_MAX;
static uint64_t bytes;

static void send_event(struct connection *connection) {
    char path[128];
    struct session *session = &sessions.all[connection->session];
    snprintf(path, sizeof path, "/sessions/%s/events", session->id);
    connection_send(connection, "POST", path, walk_event(&walk, session->events));
}

/// The next session of a permutation, one that has no request under way.
static size_t next_turn(void) {
    // A prime larger than any count of sessions, so that all have their turn before one has its second.
    static const uint64_t stride = 2654435761;
    size_t session;
    do session = (size_t)(turns++ * stride % sessions.count);
    while (sessions.all[session].is_busy);
    sessions.all[session].is_busy = true;
    return session;
}

/// Sends what a connection has to send next; returns false if nothing is left for it.
static bool go_on(struct connection *connection) {
    if (is_opening) {
        if (turns == sessions.count) return false;
        connection->session = turns++;
        connection_send(connection, "POST", "/sessions", walk.opening);
        return true;
    }
    if (requests_left == 0 || nanoseconds_now() >= deadline) return false;
    requests_left--;
    connection->session = next_turn();
    send_event(connection);
    return true;
}

static void note_id(struct connection *connection, struct session *session) {
    static const char prefix[] = "/sessions/";
    const char *location = connection_field(connection, "Location");
    if (!location || strncmp(location, prefix, sizeof prefix - 1) != 0) FAIL("no session in %s", connection->answer);
    memcpy(session->id, location + sizeof prefix - 1, SESSION_ID_LENGTH);
}

/// Goes on with a session that is being opened; returns false when it is done.
static bool walk_on(struct connection *connection, struct session *session) {
    char path[128];
    if (connection->status == 204) return false;
    if (session->events < events_wanted) return send_event(connection), true;
    if (!is_ending) return false;
    snprintf(path, sizeof path, "/sessions/%s", session->id);
    connection_send(connection, "DELETE", path, NULL);
    return true;
}

static bool did_receive(struct connection *connection) {
    struct session *session = &sessions.all[connection->session];
    latencies_add(&latencies, nanoseconds_now() - connection->sent_at);
    bytes += connection->expected;
    switch (connection->status) {
    case 200: session->events++; break;
    case 201: note_id(connection, session); break;
    case 204: break;
    default: FAIL("answered with %s", connection->answer);
    }
    if (is_opening && walk_on(connection, session)) return true;
    session->is_busy = false;
    return go_on(connection);
}

static void run(unsigned int port, size_t count) {
    struct epoll_event ready[MAXIMUM_CONNECTIONS];
    struct connection *all = calloc(count, sizeof *all);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    size_t at_work = 0;
    if (!all || poll < 0) FAIL("out of memory or files");
    for (size_t i = 0; i < count; i++) {
        connection_open(&all[i], port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &event);
    }
    for (size_t i = 0; i < count; i++) at_work += go_on(&all[i]);
    while (at_work > 0) {
        int events = epoll_wait(poll, ready, MAXIMUM_CONNECTIONS, -1);
        for (int i = 0; i < events; i++)
            if (connection_receive(ready[i].data.ptr) && !did_receive(ready[i].data.ptr)) at_work--;
    }
}

int main(int count, char **arguments) {
    if (count != 8) FAIL("usage: see the head of send.c");
    const char *what = arguments[1], *path = arguments[5];
    unsigned long connections = strtoul(arguments[3], NULL, 10);
    is_ending = strcmp(what, "end") == 0;
    is_opening = is_ending || strcmp(what, "open") == 0;
    walk_read(&walk, arguments[4]);
    if (is_opening) {
        sessions_make(&sessions, strtoul(arguments[6], NULL, 10));
        events_wanted = strtoul(arguments[7], NULL, 10);
    } else {
        sessions_read(&sessions, path);
    }
    if (connections == 0 || connections > MAXIMUM_CONNECTIONS || (!is_opening && connections > sessions.count))
        FAIL("%lu connections are none, too many, or more than sessions", connections);
    uint64_t start = nanoseconds_now();
    if (!is_opening && strcmp(arguments[6], "requests") == 0) requests_left = strtoul(arguments[7], NULL, 10);
    else if (!is_opening) deadline = start + strtoul(arguments[7], NULL, 10) * 1000000000u;
    run((unsigned int)strtoul(arguments[2], NULL, 10), connections);
    printf(
        "measured requests=%lu microseconds=%lu bytes=%lu p50=%.1f p99=%.1f p999=%.1f\n", latencies.count,
        (nanoseconds_now() - start) / 1000, bytes, latencies_percentile(&latencies, 0.5),
        latencies_percentile(&latencies, 0.99), latencies_percentile(&latencies, 0.999));
    if (!is_ending) sessions_write(&sessions, path);
    return 0;
}
