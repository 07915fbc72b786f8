// A histogram of latencies, whose steps are at most 1/64 of the value, from 1 ns to 18 minutes.

#include <stdint.h>

enum { LATENCY_STEPS = 64, LATENCY_CLASSES = 36 * LATENCY_STEPS };

struct latencies {
    uint64_t count;
    uint64_t classes[LATENCY_CLASSES];
};

void latencies_add(struct latencies *latencies, uint64_t nanoseconds);

/// Returns the latency in microseconds that the given share of answers did not exceed.
double latencies_percentile(const struct latencies *latencies, double share);
