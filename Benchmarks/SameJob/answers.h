// The number and the durations of the answers; each thread has its own counters, which are added up at the end.

#pragma once

#include <stdint.h>

/// Counts an answer of this thread.
void answers_count(unsigned status, uint64_t nanoseconds);

/// Prints the sums, after all other threads have ended.
void answers_print(void);
