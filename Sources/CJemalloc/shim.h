#pragma once
/* Of jemalloc's interface what is asked for here; its own header declares malloc once more. */
#include <stddef.h>

/* Not there in a build for a sanitizer, which has an allocator of its own. */
int mallctl(const char *name, void *old, size_t *old_size, void *value, size_t value_size) __attribute__((weak));

/* Gives the pages of all arenas (4096 is MALLCTL_ARENAS_ALL) that hold nothing back to the system. */
static inline void usher_purge_arenas(void) {
    if (mallctl) mallctl("arena.4096.purge", NULL, NULL, NULL, 0);
}
