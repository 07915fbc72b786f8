// What a session is opened with and sent, from a file:
//
//     open {"app":"start-login-main"}      the body of POST /sessions
//     once {"event":"startApp"}            events that come first, in this order
//     cycle {"event":"login"}              events that follow, again and again

#include <stddef.h>

enum { WALK_EVENTS = 128 };

struct walk {
    char *opening;
    char *events[WALK_EVENTS];
    size_t events_count;
    /// How many of the events come only once.
    size_t once;
};

void walk_read(struct walk *walk, const char *path);

/// The nth event after the creation, from 0.
const char *walk_event(const struct walk *walk, size_t n);
