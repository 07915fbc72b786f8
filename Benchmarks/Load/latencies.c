#include "latencies.h"

/// Returns the class of a value: below 64 each value has its own class; above, each power of two has 64 classes.
static unsigned int class_of(uint64_t value) {
    if (value < LATENCY_STEPS) return (unsigned int)value;
    unsigned int exponent = 63 - (unsigned int)__builtin_clzll(value) - 6;
    unsigned int class = (exponent + 1) * LATENCY_STEPS + (unsigned int)(value >> exponent) - LATENCY_STEPS;
    return class < LATENCY_CLASSES ? class : LATENCY_CLASSES - 1;
}

/// Returns the middle of a class.
static double value_of(unsigned int class) {
    if (class < LATENCY_STEPS) return class;
    unsigned int exponent = class / LATENCY_STEPS - 1;
    return ((double)(class % LATENCY_STEPS + LATENCY_STEPS) + 0.5) * (double)(1ull << exponent);
}

void latencies_add(struct latencies *latencies, uint64_t nanoseconds) {
    latencies->classes[class_of(nanoseconds)]++;
    latencies->count++;
}

double latencies_percentile(const struct latencies *latencies, double share) {
    double wanted = share * (double)latencies->count;
    uint64_t seen = 0;
    for (unsigned int class = 0; class < LATENCY_CLASSES; class++) {
        seen += latencies->classes[class];
        if (seen > 0 && (double)seen >= wanted) return value_of(class) / 1000;
    }
    return 0;
}
