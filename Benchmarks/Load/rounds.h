// Rounds: each session has its next event, and a round ends when all are answered. So all do the same at a time, and
// what each event of a walk's cycle costs a server is known apart.

#include <time.h>

#include "turns.h"

struct rounds {
    struct turns *turns;
    /// The clock of the server's CPU time, and what it showed when the round began.
    clockid_t clock;
    uint64_t began;
    /// When no further cycle begins.
    uint64_t deadline;
    /// CPU time and number of the events, by their places in the cycle.
    uint64_t nanoseconds[WALK_EVENTS], events[WALK_EVENTS];
};

/// Watches a process on this machine.
void rounds_watch(struct rounds *rounds, struct turns *turns, int process);

/// Begins a round; returns false where a cycle is complete and its time is over.
bool rounds_begin(struct rounds *rounds);

/// Ends a round, all of whose events are answered.
void rounds_end(struct rounds *rounds);

/// Prints ` cpu0=… cpu1=…`: microseconds an event, for each of the cycle.
void rounds_print(const struct rounds *rounds);
