// A shim for LD_PRELOAD that counts what a process takes from the C library's allocator, which is where Swift's
// objects, arrays and strings come from too. Built for glibc, whose own names for its allocator it passes on to.
//
// The counts lie in the file that ALLOCATIONS_FILE names, shared, so that another process reads them at any time:
// two native 64-bit numbers, allocations and bytes asked for. A realloc counts as an allocation, a free as nothing.

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

struct counts {
    _Atomic uint64_t allocations;
    _Atomic uint64_t bytes;
};

/// Where they are counted until the file is there.
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

void *malloc(size_t size) {
    add(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    add(count * size);
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    add(size);
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    add(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
