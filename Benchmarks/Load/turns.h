// What is sent next: whose turn it is, and what that session gets.

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
    /// Whether the sessions are opened, or are there; and whether they are ended afterwards.
    bool is_opening, is_ending;
    /// Whether sessions that are there are asked for their states, instead of being sent events.
    bool is_looking;
    /// How many events each new session gets.
    size_t events;
    /// When no further request is begun to a session that is there: after so many, or at a time.
    size_t requests_left;
    uint64_t deadline;
    /// How many turns there have been.
    size_t taken;
};

/// Sends the next request of a connection that has none under way; returns false if nothing is left for it.
bool turns_begin(struct turns *turns, struct connection *connection);

/// Sends the next event of a connection's session.
void turns_send_event(const struct turns *turns, struct connection *connection);

/// Looks at a connection's answer, and notes how far its session is.
void turns_note_answer(struct turns *turns, struct connection *connection);

/// Looks at a connection's answer, and sends its next request; returns false if nothing is left for it.
bool turns_go_on(struct turns *turns, struct connection *connection);
