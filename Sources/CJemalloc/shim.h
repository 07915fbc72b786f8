#pragma once
/* The part of jemalloc's interface that Usher uses; jemalloc's own header would declare malloc again. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL in a build for a sanitizer, which has its own allocator. */
int mallctl(const char *name, void *old, size_t *old_size, void *value, size_t value_size) __attribute__((weak));

/* Reads the number of allocated bytes, and of the heap's resident bytes; false in a build for a sanitizer. */
static inline bool usher_heap_use(size_t *allocated, size_t *resident) {
    uint64_t epoch = 1;
    size_t size = sizeof *allocated;
    /* Setting the epoch updates the statistics. */
    return mallctl && mallctl("epoch", NULL, NULL, &epoch, sizeof epoch) == 0
        && mallctl("stats.allocated", allocated, &size, NULL, 0) == 0
        && mallctl("stats.resident", resident, &size, NULL, 0) == 0;
}

/* Returns all unused pages of all arenas (4096 is MALLCTL_ARENAS_ALL) to the system. */
static inline void usher_purge_arenas(void) {
    if (mallctl) mallctl("arena.4096.purge", NULL, NULL, NULL, 0);
}
