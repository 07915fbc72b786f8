// People: after each answer, a session waits for a think time before its next event.
//
// The think times have the distribution of TPC-W (clause 5.3.2.1 of its specification): negative exponential with a
// mean of 7 s, and at most ten times the mean. The generator has a fixed seed, so the times are the same in each run.

#include "turns.h"

/// The next event of a session.
struct due {
    uint64_t time;
    size_t session;
};

struct thinking {
    struct turns *turns;
    uint64_t random;
    /// The next events of the sessions that think: a binary heap with the earliest event first.
    struct due *heap;
    size_t count;
    /// The idle connections: a ring, because the server closes connections that are idle for long.
    struct connection **idle;
    size_t first_idle, idle_count, connections;
};

/// Starts the think times of a number of sessions, spread over all sessions.
void thinking_begin(
    struct thinking *thinking, struct turns *turns, struct connection *connections, size_t count, size_t sessions);

/// Sends the events that are due while there are idle connections and the time is not over; returns false when the time is over
/// and no request is pending.
bool thinking_go_on(struct thinking *thinking);

/// Handles an answer, after which its session thinks.
void thinking_note(struct thinking *thinking, struct connection *connection);

/// Returns the milliseconds until the next event is due, for epoll.
int thinking_patience(const struct thinking *thinking);
