#pragma once
/* Glibc's module map leaves these out, or has them for _GNU_SOURCE alone. */
#include <malloc.h>
#include <sys/syscall.h>

long syscall(long number, ...);
int backtrace(void **addresses, int count);
void backtrace_symbols_fd(void *const *addresses, int count, int descriptor);

/* The system's number of the calling thread. */
static inline int usher_thread_id(void) { return (int)syscall(SYS_gettid); }

/* Sends a signal to a thread of this process; -1 if there is none. */
static inline int usher_signal_thread(int process, int thread, int signal) {
    return (int)syscall(SYS_tgkill, process, thread, signal);
}

/* A place in a loaded file. */
struct usher_place {
    const char *file;
    void *base;
    const char *symbol;
    void *address;
};

/* Finds the file and the symbol of an address; 0 if there is none. */
int usher_find_place(const void *address, struct usher_place *place) __asm__("dladdr");
