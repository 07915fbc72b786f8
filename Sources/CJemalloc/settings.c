/* The options with which jemalloc starts (jemalloc(3), TUNING); MALLOC_CONF in the environment takes precedence.
 *
 * slab_sizes: slabs of up to 64 KiB for the block sizes that live sessions use most. jemalloc never frees the 128 bytes
 * that it needs for each slab. By default, slabs can be as small as a page. Such small slabs would cost 100 bytes for
 * each session, counted for the largest number of sessions that were ever live at once.
 *
 * tcache_nslots_small_max: a thread caches 16 freed blocks of a size instead of 200, because each cached block prevents
 * the return of its slab to the system. */
__attribute__((weak)) const char *malloc_conf =
    "slab_sizes:32-32:4|64-64:8|96-96:12|128-128:8|160-160:10|192-192:12|256-256:16|320-320:10|512-512:8,"
    "tcache_nslots_small_max:16";
