#pragma once
/* Of the system's calls for processes, those that Glibc's module map leaves out, or that are variadic. No header of the
   system but this one: what others define would no longer be Glibc's where this module is not imported. */
#include <sys/syscall.h>

extern char **environ;
long syscall(long number, ...);
const char *sigabbrev_np(int signal);

/// The variables of this process, with NULL behind the last.
static inline char **usher_environment(void) { return environ; }

/// A descriptor of a process, which can be read from once it has ended; -1 if there is none. It closes at exec.
static inline int usher_open_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/// A descriptor that gives the signals of a set; -1 if there is none.
static inline int usher_open_signals(const void *set, int flags) {
    return (int)syscall(SYS_signalfd4, -1, set, 8, flags);
}

/// A descriptor of a file that no file system has, with a name for /proc; -1 if there is none. It closes at exec.
static inline int usher_open_memory(const char *name) { return (int)syscall(SYS_memfd_create, name, 1); }

/// Names this process for ps and top, in at most 15 bytes.
static inline void usher_name_process(const char *name) { syscall(SYS_prctl, 15 /* PR_SET_NAME */, name); }

/// Has a process started without the descriptors from a number on.
int usher_close_from(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");

/// Has SIGKILL end this process as soon as the thread that started it ends.
static inline void usher_die_with_parent(void) { syscall(SYS_prctl, 1 /* PR_SET_PDEATHSIG */, 9 /* SIGKILL */); }

/* The C library's own, which Glibc's module map leaves out. */
int backtrace(void **addresses, int count);
void backtrace_symbols_fd(void *const *addresses, int count, int descriptor);

/// The system's number of the calling thread.
static inline int usher_thread_id(void) { return (int)syscall(SYS_gettid); }

/// Sends a signal to a thread of this process; -1 if there is none.
static inline int usher_signal_thread(int process, int thread, int signal) {
    return (int)syscall(SYS_tgkill, process, thread, signal);
}

/// A place in a loaded file.
struct usher_place {
    const char *file;
    void *base;
    const char *symbol;
    void *address;
};

/// Finds the file and the symbol of an address; 0 if there is none.
int usher_find_place(const void *address, struct usher_place *place) __asm__("dladdr");
