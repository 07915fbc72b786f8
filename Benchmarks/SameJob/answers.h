// How many answers there were, and how long they took: counted by each thread for itself, and summed up at the end.

#pragma once

#include <stdint.h>

/// Counts an answer of this thread.
void answers_count(unsigned status, uint64_t nanoseconds);

/// Prints the sums, after all other threads have ended.
void answers_print(void);
