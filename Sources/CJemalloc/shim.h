#pragma once
/* Of jemalloc's interface what is asked for here; its own header declares malloc once more. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Not there in a build for a sanitizer, which has an allocator of its own. */
int mallctl(const char *name, void *old, size_t *old_size, void *value, size_t value_size) __attribute__((weak));

/* Reads how many bytes the process has allocated, and how many of the heap's lie in memory; false in a build for a sanitizer. */
static inline bool usher_heap_use(size_t *allocated, size_t *resident) {
    uint64_t epoch = 1;
    size_t size = sizeof *allocated;
    /* The figures are those of the last change of the epoch. */
    return mallctl && mallctl("epoch", NULL, NULL, &epoch, sizeof epoch) == 0
        && mallctl("stats.allocated", allocated, &size, NULL, 0) == 0
        && mallctl("stats.resident", resident, &size, NULL, 0) == 0;
}

/* Gives the pages of all arenas (4096 is MALLCTL_ARENAS_ALL) that hold nothing back to the system. */
static inline void usher_purge_arenas(void) {
    if (mallctl) mallctl("arena.4096.purge", NULL, NULL, NULL, 0);
}
