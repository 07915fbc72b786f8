// Groups of entries as usher's journal writes them: the binary parameters of its statement, with an array per column.

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "../Load/fail.h"

enum { GROUP_PARAMETERS = 23, SESSIONS_A_WRITER = 256, MAXIMUM_GROUP = 100, MAXIMUM_CONTENT = 4096 };

/// The sizes of an entry's parts, in bytes.
struct sizes {
    size_t entry, head;
};

/// The data of one connection: its own sessions, which get entries in turn.
struct writer {
    struct {
        char key[16];
        uint64_t revision, mark;
    } sessions[SESSIONS_A_WRITER];
    struct sizes sizes;
    /// The next session, and the number of sessions in the current group.
    size_t next, group;
    uint64_t mark, sent_at;
    char *buffer, *end;
    const char *values[GROUP_PARAMETERS];
    int lengths[GROUP_PARAMETERS], formats[GROUP_PARAMETERS];
};

/// Creates a writer's sessions with a plain INSERT.
void writer_begin(struct writer *writer, PGconn *database, size_t number, struct sizes sizes);

/// Writes the parameters of the next group.
void writer_fill(struct writer *writer, size_t group);

/// Records that a group was written; ends the program if a part of the group was not written.
void writer_check(struct writer *writer, size_t written);

/// Writes a number in network byte order.
void write_integer(char *buffer, uint64_t number);
