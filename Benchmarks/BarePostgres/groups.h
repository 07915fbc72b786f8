// Groups of entries, as usher's journal writes them: the parameters of its statement in binary, a column an array.

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "../Load/fail.h"

enum { GROUP_PARAMETERS = 22, SESSIONS_A_WRITER = 256, MAXIMUM_GROUP = 100, MAXIMUM_CONTENT = 4096 };

/// Bytes of what is written for an entry.
struct sizes {
    size_t entry, head;
};

/// What one connection writes: sessions of its own, each of which gets an entry in its turn.
struct writer {
    struct {
        char key[16];
        uint64_t revision, mark;
    } sessions[SESSIONS_A_WRITER];
    struct sizes sizes;
    /// The session that is next, and how many the group that is under way has.
    size_t next, group;
    uint64_t mark, sent_at;
    char *buffer, *end;
    const char *values[GROUP_PARAMETERS];
    int lengths[GROUP_PARAMETERS], formats[GROUP_PARAMETERS];
};

/// Makes a writer's sessions, with a plain INSERT.
void writer_begin(struct writer *writer, PGconn *database, size_t number, struct sizes sizes);

/// Writes the parameters of the next group.
void writer_fill(struct writer *writer, size_t group);

/// Notes that a group was written; the program ends where not all of it was.
void writer_check(struct writer *writer, size_t written);

/// Writes a number in network byte order.
void write_integer(char *buffer, uint64_t number);
