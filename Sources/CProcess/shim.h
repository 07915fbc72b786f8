#pragma once
/* The system calls for processes that Glibc's module map leaves out, or that are variadic. No other system header may
   be included: its definitions would belong to this module, and be missing where only Glibc is imported. */
#include <sys/syscall.h>

extern char **environ;
long syscall(long number, ...);
const char *sigabbrev_np(int signal);

/// Returns the environment variables of this process; NULL follows the last one.
static inline char **usher_environment(void) { return environ; }

/// Opens a descriptor of a process that becomes readable when the process ends; -1 on failure. It closes at exec.
static inline int usher_open_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/// Opens a descriptor from which the signals of a set are read; -1 on failure.
static inline int usher_open_signals(const void *set, int flags) {
    return (int)syscall(SYS_signalfd4, -1, set, 8, flags);
}

/// Opens a file in memory, whose name appears only in /proc; -1 on failure. It closes at exec.
static inline int usher_open_memory(const char *name) { return (int)syscall(SYS_memfd_create, name, 1); }

/// Sets the name that ps and top show for this process, at most 15 bytes.
static inline void usher_name_process(const char *name) { syscall(SYS_prctl, 15 /* PR_SET_NAME */, name); }

/// Makes posix_spawn close all descriptors from a number on.
int usher_close_from(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");

/// Makes SIGKILL end this process when the thread that started it ends.
static inline void usher_die_with_parent(void) { syscall(SYS_prctl, 1 /* PR_SET_PDEATHSIG */, 9 /* SIGKILL */); }

/* Functions of the C library that Glibc's module map leaves out. */
int backtrace(void **addresses, int count);
void backtrace_symbols_fd(void *const *addresses, int count, int descriptor);

/// Returns the system's id of the calling thread.
static inline int usher_thread_id(void) { return (int)syscall(SYS_gettid); }

/// Sends a signal to a thread of a process; -1 if there is no such thread.
static inline int usher_signal_thread(int process, int thread, int signal) {
    return (int)syscall(SYS_tgkill, process, thread, signal);
}

/// A position in a loaded file.
struct usher_place {
    const char *file;
    void *base;
    const char *symbol;
    void *address;
};

/// Finds the file and the symbol of an address; 0 if there is none.
int usher_find_place(const void *address, struct usher_place *place) __asm__("dladdr");
