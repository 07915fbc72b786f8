// The requests of a session, from a file:
//
//     open {"app":"start-login-main"}      the body of POST /sessions
//     once {"event":"startApp"}            the first events, in this order
//     cycle {"event":"login"}              the following events, repeated

#include <stddef.h>

enum { WALK_EVENTS = 128 };

struct walk {
    char *opening;
    char *events[WALK_EVENTS];
    size_t events_count;
    /// The number of events that come only once.
    size_t once;
};

void walk_read(struct walk *walk, const char *path);

/// Returns the nth event after the creation, from 0.
const char *walk_event(const struct walk *walk, size_t n);
