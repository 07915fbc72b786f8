#include "rounds.h"

#include "fail.h"

static uint64_t processor_time(const struct rounds *rounds) {
    struct timespec time;
    if (clock_gettime(rounds->clock, &time) != 0) FAIL("the server's CPU time cannot be read");
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static size_t cycle(const struct walk *walk) { return walk->events_count - walk->once; }

/// Returns the place in the cycle of the event that all sessions are sent next.
static size_t place(const struct turns *turns) {
    const struct sessions *sessions = &turns->sessions;
    for (size_t i = 1; i < sessions->count; i++)
        if (sessions->all[i].events != sessions->all[0].events) FAIL("session %zu is not as far as the first", i + 1);
    if (sessions->all[0].events < turns->walk.once) FAIL("sessions that are not yet in their cycle");
    return (sessions->all[0].events - turns->walk.once) % cycle(&turns->walk);
}

void rounds_watch(struct rounds *rounds, struct turns *turns, int process) {
    rounds->turns = turns;
    if (clock_getcpuclockid(process, &rounds->clock) != 0) FAIL("there is no process %d", process);
}

bool rounds_begin(struct rounds *rounds) {
    if (place(rounds->turns) == 0 && nanoseconds_now() >= rounds->deadline) return false;
    rounds->turns->taken = 0;
    rounds->turns->requests_left = rounds->turns->sessions.count;
    rounds->began = processor_time(rounds);
    return true;
}

void rounds_end(struct rounds *rounds) {
    size_t count = cycle(&rounds->turns->walk);
    // All sessions have advanced by one event.
    size_t done = (place(rounds->turns) + count - 1) % count;
    rounds->nanoseconds[done] += processor_time(rounds) - rounds->began;
    rounds->events[done] += rounds->turns->sessions.count;
}

void rounds_print(const struct rounds *rounds) {
    for (size_t i = 0; i < cycle(&rounds->turns->walk); i++)
        printf(" cpu%zu=%.2f", i, (double)rounds->nanoseconds[i] / 1000 / (double)rounds->events[i]);
}
