#pragma once
/* Glibc's module map leaves these out, or has them for _GNU_SOURCE alone. */
#include <malloc.h>
#include <sys/syscall.h>

long syscall(long number, ...);
int backtrace(void **addresses, int count);

/* The system's number of the calling thread. */
static inline int usher_thread_id(void) { return (int)syscall(SYS_gettid); }
