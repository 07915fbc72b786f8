// People: a session's next event comes a think time after its last answer.
//
// Think times are those of TPC-W (clause 5.3.2.1 of its specification): negative exponential, of 7 s in the mean, and
// cut at ten times that. They come from a generator with a fixed seed, so that each run has the same.

#include "turns.h"

/// A session's next event.
struct due {
    uint64_t time;
    size_t session;
};

struct thinking {
    struct turns *turns;
    uint64_t random;
    /// The next events of the sessions that think: a binary heap, the first one on top.
    struct due *heap;
    size_t count;
    /// The connections that have no request under way: a ring, for the server closes one that is idle for long.
    struct connection **idle;
    size_t first_idle, idle_count, connections;
};

/// Lets a number of the sessions think, spread over all.
void thinking_begin(
    struct thinking *thinking, struct turns *turns, struct connection *connections, size_t count, size_t sessions);

/// Sends the events that are due, as long as there are connections and the time is not over; returns false once it is
/// and nothing is under way.
bool thinking_go_on(struct thinking *thinking);

/// Looks at an answer, after which its session thinks.
void thinking_note(struct thinking *thinking, struct connection *connection);

/// The milliseconds until an event is due, for epoll.
int thinking_patience(const struct thinking *thinking);
