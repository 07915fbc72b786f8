#include "turns.h"

#include <string.h>

#include "fail.h"

void turns_send_event(const struct turns *turns, struct connection *connection) {
    char path[128];
    const struct session *session = &turns->sessions.all[connection->session];
    snprintf(path, sizeof path, "/sessions/%s/events", session->id);
    connection_send(connection, "POST", path, walk_event(&turns->walk, session->events));
}

static void look(struct turns *turns, struct connection *connection) {
    char path[128];
    snprintf(path, sizeof path, "/sessions/%s", turns->sessions.all[connection->session].id);
    connection_send(connection, "GET", path, NULL);
}

/// Returns the next session of a permutation that has no pending request.
static size_t next_session(struct turns *turns) {
    // A prime larger than any number of sessions, so that each session is chosen once before any is chosen again.
    static const uint64_t stride = 2654435761;
    size_t session;
    do session = (size_t)(turns->taken++ * stride % turns->sessions.count);
    while (turns->sessions.all[session].is_busy);
    turns->sessions.all[session].is_busy = true;
    return session;
}

bool turns_begin(struct turns *turns, struct connection *connection) {
    if (turns->is_opening) {
        if (turns->taken == turns->sessions.count) return false;
        connection->session = turns->taken++;
        connection_send(connection, "POST", "/sessions", turns->walk.opening);
        return true;
    }
    if (turns->requests_left == 0 || nanoseconds_now() >= turns->deadline) return false;
    turns->requests_left--;
    connection->session = next_session(turns);
    if (turns->is_looking) look(turns, connection);
    else turns_send_event(turns, connection);
    return true;
}

static void note_id(struct connection *connection, struct session *session) {
    static const char prefix[] = "/sessions/";
    const char *location = connection_field(connection, "Location");
    if (!location || strncmp(location, prefix, sizeof prefix - 1) != 0) FAIL("no session in %s", connection->answer);
    memcpy(session->id, location + sizeof prefix - 1, SESSION_ID_LENGTH);
}

/// Continues with a session that is being opened; returns false when the session is complete.
static bool walk_on(struct turns *turns, struct connection *connection, struct session *session) {
    char path[128];
    if (connection->status == 204) return false;
    if (session->events < turns->events) return turns_send_event(turns, connection), true;
    if (!turns->is_ending) return false;
    snprintf(path, sizeof path, "/sessions/%s", session->id);
    connection_send(connection, "DELETE", path, NULL);
    return true;
}

void turns_note_answer(struct turns *turns, struct connection *connection) {
    struct session *session = &turns->sessions.all[connection->session];
    switch (connection->status) {
    case 200: session->events += !turns->is_looking; break;
    case 201: note_id(connection, session); break;
    case 204: break;
    default: FAIL("answered with %s", connection->answer);
    }
}

bool turns_go_on(struct turns *turns, struct connection *connection) {
    struct session *session = &turns->sessions.all[connection->session];
    turns_note_answer(turns, connection);
    if (turns->is_opening && walk_on(turns, connection, session)) return true;
    session->is_busy = false;
    return turns_begin(turns, connection);
}
