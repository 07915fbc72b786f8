// Decides which session sends the next request, and what the request is.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "connection.h"
#include "sessions.h"
#include "walk.h"

struct turns {
    struct walk walk;
    struct sessions sessions;
    /// Whether to open the sessions or use existing ones, and whether to end them afterwards.
    bool is_opening, is_ending;
    /// Whether to read the states of existing sessions instead of sending events.
    bool is_looking;
    /// The number of events for each new session.
    size_t events;
    /// The limits for requests to existing sessions: a number of requests, or a time.
    size_t requests_left;
    uint64_t deadline;
    /// The number of requests so far.
    size_t taken;
};

/// Sends the next request over an idle connection; returns false if nothing is left to send.
bool turns_begin(struct turns *turns, struct connection *connection);

/// Sends the next event of a connection's session.
void turns_send_event(const struct turns *turns, struct connection *connection);

/// Handles a connection's answer, and stores its session's progress.
void turns_note_answer(struct turns *turns, struct connection *connection);

/// Handles a connection's answer, and sends the next request; returns false if nothing is left to send.
bool turns_go_on(struct turns *turns, struct connection *connection);
