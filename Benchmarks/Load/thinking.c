#include "thinking.h"

#include <math.h>

#include "fail.h"

static const double mean_seconds = 7, longest_seconds = 70;

/// Returns the next number of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
static uint64_t next_random(uint64_t *state) {
    uint64_t mixed = *state += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
}

static uint64_t think_time(struct thinking *thinking) {
    // Above 0, and at most 1.
    double share = (double)((next_random(&thinking->random) >> 11) + 1) / (double)(1ull << 53);
    return (uint64_t)(fmin(-mean_seconds * log(share), longest_seconds) * 1e9);
}

// The heap.

static void swap(struct due *one, struct due *other) {
    struct due kept = *one;
    *one = *other;
    *other = kept;
}

static void put(struct thinking *thinking, struct due due) {
    struct due *heap = thinking->heap;
    size_t place = thinking->count++;
    heap[place] = due;
    for (; place > 0 && heap[place].time < heap[(place - 1) / 2].time; place = (place - 1) / 2)
        swap(&heap[place], &heap[(place - 1) / 2]);
}

static struct due take(struct thinking *thinking) {
    struct due *heap = thinking->heap, first = heap[0];
    heap[0] = heap[--thinking->count];
    for (size_t place = 0, child; (child = 2 * place + 1) < thinking->count; place = child) {
        if (child + 1 < thinking->count && heap[child + 1].time < heap[child].time) child++;
        if (heap[place].time <= heap[child].time) break;
        swap(&heap[place], &heap[child]);
    }
    return first;
}

static void think(struct thinking *thinking, size_t session) {
    put(thinking, (struct due){nanoseconds_now() + think_time(thinking), session});
}

// The connections.

static void put_back(struct thinking *thinking, struct connection *connection) {
    thinking->idle[(thinking->first_idle + thinking->idle_count++) % thinking->connections] = connection;
}

static struct connection *take_idle(struct thinking *thinking) {
    struct connection *connection = thinking->idle[thinking->first_idle];
    thinking->first_idle = (thinking->first_idle + 1) % thinking->connections;
    thinking->idle_count--;
    return connection;
}

// Events.

void thinking_begin(
    struct thinking *thinking, struct turns *turns, struct connection *connections, size_t count, size_t sessions) {
    if (sessions == 0 || sessions > turns->sessions.count) FAIL("%zu sessions are none, or too many", sessions);
    *thinking = (struct thinking){.turns = turns, .connections = count};
    thinking->heap = calloc(sessions, sizeof *thinking->heap);
    thinking->idle = calloc(count, sizeof *thinking->idle);
    if (!thinking->heap || !thinking->idle) FAIL("out of memory");
    for (size_t i = 0; i < count; i++) put_back(thinking, &connections[i]);
    for (size_t i = 0; i < sessions; i++) think(thinking, i * (turns->sessions.count / sessions));
}

bool thinking_go_on(struct thinking *thinking) {
    uint64_t now = nanoseconds_now();
    if (now >= thinking->turns->deadline) return thinking->idle_count < thinking->connections;
    while (thinking->idle_count > 0 && thinking->count > 0 && thinking->heap[0].time <= now) {
        struct connection *connection = take_idle(thinking);
        connection->session = take(thinking).session;
        turns_send_event(thinking->turns, connection);
    }
    return true;
}

void thinking_note(struct thinking *thinking, struct connection *connection) {
    turns_note_answer(thinking->turns, connection);
    put_back(thinking, connection);
    think(thinking, connection->session);
}

int thinking_patience(const struct thinking *thinking) {
    uint64_t now = nanoseconds_now(), next = thinking->turns->deadline;
    // If no connection is idle, or the time is over, waits for an answer first.
    if (thinking->idle_count == 0 || now >= next) return -1;
    if (thinking->count > 0 && thinking->heap[0].time < next) next = thinking->heap[0].time;
    return next <= now ? 0 : (int)((next - now) / 1000000 + 1);
}
