/* What jemalloc is told at its start (jemalloc(3), TUNING); MALLOC_CONF in the environment goes before it.
 *
 * slab_sizes: blocks of these sizes, of which a live session has the most, lie in slabs of up to 64 KiB. jemalloc keeps 128
 * bytes about each slab for ever, and by itself makes them as small as a page: a hundred bytes for each session that was
 * ever live at once.
 *
 * tcache_nslots_small_max: a thread keeps 16 freed blocks of a size, not 200, for each keeps its slab from going back. */
__attribute__((weak)) const char *malloc_conf =
    "slab_sizes:32-32:4|64-64:8|96-96:12|128-128:8|160-160:10|192-192:12|256-256:16|320-320:10|512-512:8,"
    "tcache_nslots_small_max:16";
