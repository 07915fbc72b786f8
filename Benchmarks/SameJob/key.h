// The key of a session, 128 random bits as 32 hexadecimal digits, and its place in sharded tables.

#pragma once

#include <stdbool.h>

#include "buffer.h"

/// The shards, each with its own lock, and the hash chains of each shard: enough for the thousands of sessions of a measurement.
enum { KEY_DIGITS = 32, SHARDS = 64, CHAINS = 256 };

struct key {
    uint64_t high, low;
};

static inline bool key_is(struct key key, struct key other) { return key.high == other.high && key.low == other.low; }

static inline size_t key_shard(struct key key) { return (size_t)(key.high >> 58); }

static inline size_t key_chain(struct key key) { return (size_t)((key.high ^ key.low) * 0x9E3779B97F4A7C15 >> 56); }

static inline void key_add_digits(struct buffer *buffer, struct key key) {
    static const char digits[] = "0123456789abcdef";
    buffer_reserve(buffer, KEY_DIGITS);
    for (int place = 60; place >= 0; place -= 4) buffer->bytes[buffer->count++] = digits[key.high >> place & 15];
    for (int place = 60; place >= 0; place -= 4) buffer->bytes[buffer->count++] = digits[key.low >> place & 15];
}

/// Parses one half of a key; returns false if the text is not 16 digits in lower case.
static inline bool key_read_half(const char *digits, uint64_t *half) {
    *half = 0;
    for (int place = 0; place < KEY_DIGITS / 2; place++) {
        char digit = digits[place];
        if (digit >= '0' && digit <= '9') *half = *half << 4 | (uint64_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f') *half = *half << 4 | (uint64_t)(digit - 'a' + 10);
        else return false;
    }
    return true;
}

static inline bool key_read(const char *digits, struct key *key) {
    return key_read_half(digits, &key->high) && key_read_half(digits + KEY_DIGITS / 2, &key->low);
}
