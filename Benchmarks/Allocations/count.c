// A shim for LD_PRELOAD that counts a process's allocations, including Swift's objects, arrays and
// strings. It passes each call to the next library that defines the allocator: jemalloc or the C library.
//
// The counts are in the file that ALLOCATIONS_FILE names. The file is shared, so another process can read it at any time:
// two native 64-bit numbers, the allocations and the requested bytes. A realloc counts as an allocation; a free does not count.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct counts {
    _Atomic uint64_t allocations;
    _Atomic uint64_t bytes;
};

/// The counts until the file is open.
static struct counts early;
static struct counts *counts = &early;

static void add(size_t size) {
    atomic_fetch_add_explicit(&counts->allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&counts->bytes, size, memory_order_relaxed);
}

__attribute__((constructor)) static void share(void) {
    const char *path = getenv("ALLOCATIONS_FILE");
    if (!path) return;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (ftruncate(file, sizeof *counts) == 0) {
        void *shared = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (shared != MAP_FAILED) counts = shared;
    }
    close(file);
}

/// Returns the allocator's function with a name.
///
/// The first call looks the function up, which allocates no memory.
#define NEXT(function) \
    static __typeof__(&function) next; \
    if (!next) next = (__typeof__(&function))dlsym(RTLD_NEXT, #function)

void *malloc(size_t size) {
    NEXT(malloc);
    add(size);
    return next(size);
}

void *calloc(size_t count, size_t size) {
    NEXT(calloc);
    add(count * size);
    return next(count, size);
}

void *realloc(void *old, size_t size) {
    NEXT(realloc);
    add(size);
    return next(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    NEXT(aligned_alloc);
    add(size);
    return next(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    NEXT(posix_memalign);
    add(size);
    return next(result, alignment, size);
}
