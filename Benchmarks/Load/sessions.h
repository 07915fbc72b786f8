// Sessions with their progress. A file stores them between runs, one per line: the id, and the number of events so far.

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
