#include "answers.h"

#include <pthread.h>

#include "../Load/fail.h"
#include "../Load/latencies.h"

/// The counters of one thread.
struct lane {
    struct lane *next;
    uint64_t refused;
    struct latencies latencies;
};

static struct lane *lanes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct lane *own;

static struct lane *make_lane(void) {
    struct lane *lane = calloc(1, sizeof *lane);
    if (!lane) FAIL("out of memory");
    pthread_mutex_lock(&lock);
    lane->next = lanes;
    lanes = lane;
    pthread_mutex_unlock(&lock);
    return lane;
}

void answers_count(unsigned status, uint64_t nanoseconds) {
    if (!own) own = make_lane();
    own->refused += status >= 400;
    latencies_add(&own->latencies, nanoseconds);
}

void answers_print(void) {
    struct lane all = {0};
    for (const struct lane *lane = lanes; lane; lane = lane->next) {
        all.refused += lane->refused;
        all.latencies.count += lane->latencies.count;
        for (int class = 0; class < LATENCY_CLASSES; class++)
            all.latencies.classes[class] += lane->latencies.classes[class];
    }
    printf(
        "same-job: %lu answers, %lu of them refusals; p50 %.1f us, p99 %.1f us\n", all.latencies.count, all.refused,
        latencies_percentile(&all.latencies, 0.5), latencies_percentile(&all.latencies, 0.99));
}
