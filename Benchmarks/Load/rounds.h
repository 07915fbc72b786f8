// Rounds: in each round, every session gets its next event. All sessions handle the same event of the walk's cycle at the
// same time, so the server's CPU time can be measured for each event of the cycle.

#include <time.h>

#include "turns.h"

struct rounds {
    struct turns *turns;
    /// The clock of the server's CPU time, and its value at the start of the round.
    clockid_t clock;
    uint64_t began;
    /// The time after which no further cycle begins.
    uint64_t deadline;
    /// The CPU time and the number of events, by their places in the cycle.
    uint64_t nanoseconds[WALK_EVENTS], events[WALK_EVENTS];
};

/// Measures a process on this machine.
void rounds_watch(struct rounds *rounds, struct turns *turns, int process);

/// Begins a round; returns false if a cycle is complete and the time is over.
bool rounds_begin(struct rounds *rounds);

/// Ends a round after all its events were answered.
void rounds_end(struct rounds *rounds);

/// Prints ` cpu0=… cpu1=…`: the microseconds per event, for each event of the cycle.
void rounds_print(const struct rounds *rounds);
