// A shim for LD_PRELOAD that counts how often a process synchronizes files with the disk: with SQLite's write-ahead
// log, once per transaction and twice per checkpoint.
//
// The count, a native 64-bit number, is in the file that SYNCS_FILE names. The file is shared, so another process can read it at
// any time.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t early;
static _Atomic uint64_t *count = &early;
static int (*next_fdatasync)(int);
static int (*next_fsync)(int);

__attribute__((constructor)) static void share(void) {
    next_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    next_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    const char *path = getenv("SYNCS_FILE");
    if (!path) return;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (ftruncate(file, sizeof *count) == 0) {
        void *shared = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (shared != MAP_FAILED) count = shared;
    }
    close(file);
}

int fdatasync(int file) {
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return next_fdatasync(file);
}

int fsync(int file) {
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return next_fsync(file);
}
