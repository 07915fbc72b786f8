#include "groups.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <string.h>

/// The object identifiers of the types of array elements.
enum { TYPE_BYTES = 17, TYPE_INTEGER = 20, TYPE_KEY = 2950 };

void write_integer(char *buffer, uint64_t number) {
    for (int place = 7; place >= 0; place--, number >>= 8) buffer[place] = (char)number;
}

static void add_32(struct writer *writer, uint32_t number) {
    uint32_t bytes = htonl(number);
    memcpy(writer->end, &bytes, sizeof bytes);
    writer->end += sizeof bytes;
}

static void add_integer(struct writer *writer, uint64_t number) {
    write_integer(writer->end, number);
    writer->end += 8;
}

/// Begins a one-dimensional array; its elements follow, each preceded by its length.
static void begin_array(struct writer *writer, uint32_t type, size_t count) {
    add_32(writer, count > 0);
    add_32(writer, 0);
    add_32(writer, type);
    if (count == 0) return;
    add_32(writer, (uint32_t)count);
    add_32(writer, 1);
}

/// The session of a group's element.
static size_t session_at(const struct writer *writer, size_t place) {
    return (writer->next + place) % SESSIONS_A_WRITER;
}

enum column { KEYS, BASES, MARKS, REVISIONS, ZEROES, HEADS, ENTRIES, NO_BYTES };

static void add_element(struct writer *writer, enum column column, size_t session) {
    if (column == NO_BYTES) return add_32(writer, UINT32_MAX);
    size_t size = column == HEADS ? writer->sizes.head : column == ENTRIES ? writer->sizes.entry : column == KEYS ? 16 : 8;
    add_32(writer, (uint32_t)size);
    switch (column) {
    case BASES: return add_integer(writer, writer->sessions[session].revision);
    case REVISIONS: return add_integer(writer, writer->sessions[session].revision + 1);
    case MARKS: return add_integer(writer, writer->sessions[session].mark);
    case ZEROES: return add_integer(writer, 0);
    case KEYS: memcpy(writer->end, writer->sessions[session].key, 16); break;
    case HEADS:
    case ENTRIES:
    default: memset(writer->end, 'x', size); break;
    }
    // A header ends with its checksum. The checksum must change, because the database logs less for unchanged rows.
    if (column == HEADS && size >= 8) write_integer(writer->end + size - 8, writer->mark);
    writer->end += size;
}

static void add_column(struct writer *writer, enum column column) {
    bool is_bytes = column == HEADS || column == ENTRIES || column == NO_BYTES;
    uint32_t type = column == KEYS ? TYPE_KEY : is_bytes ? TYPE_BYTES : TYPE_INTEGER;
    begin_array(writer, type, writer->group);
    for (size_t place = 0; place < writer->group; place++) add_element(writer, column, session_at(writer, place));
}

static void end_parameter(struct writer *writer, int number, const char *start) {
    writer->values[number] = start;
    writer->lengths[number] = (int)(writer->end - start);
    writer->formats[number] = 1;
}

void writer_fill(struct writer *writer, size_t group) {
    // There are no rivals, leaks, tokens, answers or work.
    static const enum column columns[] = {KEYS,     BASES,  MARKS,    ZEROES, REVISIONS, ZEROES, HEADS,
                                          NO_BYTES, ZEROES, NO_BYTES, KEYS,   REVISIONS, ENTRIES};
    static const uint32_t empty[] = {TYPE_KEY, TYPE_INTEGER, TYPE_BYTES,   TYPE_BYTES,  TYPE_KEY,
                                     TYPE_INTEGER, TYPE_INTEGER, TYPE_INTEGER, TYPE_INTEGER};
    int number = 0;
    if (group > MAXIMUM_GROUP) FAIL("a group of %zu", group);
    writer->group = group;
    writer->mark = (uint64_t)random() << 32 ^ (uint64_t)random();
    writer->end = writer->buffer;
    add_integer(writer, writer->mark);
    end_parameter(writer, number++, writer->buffer);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *start = writer->end;
        add_column(writer, columns[i]);
        end_parameter(writer, number++, start);
    }
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        const char *start = writer->end;
        begin_array(writer, empty[i], 0);
        end_parameter(writer, number++, start);
    }
}

void writer_check(struct writer *writer, size_t written) {
    if (written != writer->group) FAIL("%zu of %zu entries were written", written, writer->group);
    for (size_t place = 0; place < writer->group; place++) {
        size_t session = session_at(writer, place);
        writer->sessions[session].revision++;
        writer->sessions[session].mark = writer->mark;
    }
    writer->next = session_at(writer, writer->group);
}

void writer_begin(struct writer *writer, PGconn *database, size_t number, struct sizes sizes) {
    size_t row = 3 * (16 + sizes.head + sizes.entry + 128);
    if (sizes.head > MAXIMUM_CONTENT || sizes.entry > MAXIMUM_CONTENT) FAIL("an entry is too large");
    writer->sizes = sizes;
    writer->buffer = malloc(MAXIMUM_GROUP * row + 4096);
    if (!writer->buffer) FAIL("out of memory");
    srandom((unsigned int)number + 1);
    for (size_t i = 0; i < SESSIONS_A_WRITER; i++) {
        for (size_t byte = 0; byte < 16; byte++) writer->sessions[i].key[byte] = (char)random();
        writer->sessions[i].revision = 1;
    }
    writer->group = SESSIONS_A_WRITER;
    writer->end = writer->buffer;
    begin_array(writer, TYPE_KEY, SESSIONS_A_WRITER);
    for (size_t i = 0; i < SESSIONS_A_WRITER; i++) add_element(writer, KEYS, i);
    end_parameter(writer, 0, writer->buffer);
    char sql[256];
    snprintf(
        sql, sizeof sql,
        "INSERT INTO usher.sessions SELECT unnest($1::uuid[]), 1, 0, 0, convert_to(repeat('x', %zu), 'UTF8'), 0, NULL,"
        " NULL, NULL, convert_to('bare', 'UTF8'), 0",
        sizes.head);
    PGresult *result = PQexecParams(database, sql, 1, NULL, writer->values, writer->lengths, writer->formats, 1);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) FAIL("%s", PQerrorMessage(database));
    PQclear(result);
}
