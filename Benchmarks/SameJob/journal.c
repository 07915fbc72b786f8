#include "journal.h"

#include <pthread.h>

#include "checksum.h"

enum { FORMAT_VERSION = 1, CHECKSUM_SIZE = 4, HEAD_SIZE = 40 };

/// The stored data of a session.
struct record {
    struct record *next;
    struct key key;
    uint64_t revision, touched, size;
    struct text *entries;
    size_t count, capacity;
};

static struct shard {
    _Alignas(64) pthread_mutex_t lock;
    struct record *chains[CHAINS];
} shards[SHARDS];

void journal_prepare(void) {
    for (size_t shard = 0; shard < SHARDS; shard++) pthread_mutex_init(&shards[shard].lock, NULL);
}

// The bytes of an entry.

/// Writes a number in LEB128, in which small numbers need one byte.
static void add_number(struct buffer *row, uint64_t number) {
    for (; number >= 0x80; number >>= 7) buffer_add_byte(row, (uint8_t)(number | 0x80));
    buffer_add_byte(row, (uint8_t)number);
}

static void add_little_endian(struct buffer *row, uint64_t number, size_t count) {
    buffer_reserve(row, count);
    for (; count > 0; count--, number >>= 8) row->bytes[row->count++] = (char)number;
}

/// Writes a name and an id with a space between them, such as `login 5`; together less than 128 bytes, so the length is one byte.
static void add_visible(struct buffer *row, const struct entry *entry) {
    size_t length = row->count;
    buffer_add_byte(row, 0);
    buffer_add(row, entry->visible);
    buffer_add_byte(row, ' ');
    buffer_add_number(row, entry->visible_id);
    row->bytes[length] = (char)(row->count - length - 1);
}

/// The checksum includes the key, so that a row that is stored with another session is detected.
static void seal(struct buffer *row, struct key key) {
    uint32_t sum = checksum_add_word(checksum_add_word(~0u, key.high), key.low);
    add_little_endian(row, ~checksum_add(sum, row->bytes, row->count), CHECKSUM_SIZE);
}

static struct text encoded(const struct entry *entry, struct key key) {
    struct buffer row = {0};
    buffer_reserve(&row, HEAD_SIZE + entry->visible.count + entry->payload.count);
    buffer_add_byte(&row, FORMAT_VERSION);
    buffer_add_byte(&row, (uint8_t)entry->kind);
    add_number(&row, entry->revision);
    add_number(&row, entry->time);
    add_number(&row, entry->before.screen);
    add_number(&row, entry->before.coordinator);
    add_number(&row, entry->after.screen - entry->before.screen);
    add_number(&row, entry->after.coordinator - entry->before.coordinator);
    add_little_endian(&row, entry->digest, sizeof entry->digest);
    add_visible(&row, entry);
    add_number(&row, entry->payload.count);
    buffer_add(&row, entry->payload);
    seal(&row, key);
    return buffer_text(&row);
}

// Records.

static struct record *record_of(struct shard *shard, struct key key) {
    struct record **chain = &shard->chains[key_chain(key)], *record = *chain;
    while (record && !key_is(record->key, key)) record = record->next;
    if (record) return record;
    record = calloc(1, sizeof *record);
    if (!record) FAIL("out of memory");
    *record = (struct record){.next = *chain, .key = key};
    return *chain = record;
}

static void keep(struct record *record, struct text bytes, const struct entry *entry) {
    if (record->count == record->capacity) {
        record->capacity = 2 * record->capacity + 4;
        record->entries = realloc(record->entries, record->capacity * sizeof *record->entries);
        if (!record->entries) FAIL("out of memory");
    }
    record->entries[record->count++] = bytes;
    record->revision = entry->revision;
    record->touched = entry->time;
    record->size += bytes.count;
}

void journal_append(struct key key, const struct entry *entry) {
    struct text bytes = encoded(entry, key);
    struct shard *shard = &shards[key_shard(key)];
    pthread_mutex_lock(&shard->lock);
    keep(record_of(shard, key), bytes, entry);
    pthread_mutex_unlock(&shard->lock);
}
