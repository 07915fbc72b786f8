// Sessions and how far each has walked; kept in a file from run to run, a line each: its id, and its events so far.

#include <stdbool.h>
#include <stddef.h>

enum { SESSION_ID_LENGTH = 32 };

struct session {
    char id[SESSION_ID_LENGTH + 1];
    bool is_busy;
    unsigned int events;
};

struct sessions {
    size_t count;
    struct session *all;
};

void sessions_make(struct sessions *sessions, size_t count);
void sessions_read(struct sessions *sessions, const char *path);
void sessions_write(const struct sessions *sessions, const char *path);
