// Bytes: a growing buffer that is reused for each request, and texts that are stored elsewhere.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../Load/fail.h"

struct buffer {
    char *bytes;
    size_t count, capacity;
};

/// A text whose bytes another object owns.
struct text {
    const char *bytes;
    size_t count;
};

#define TEXT(literal) ((struct text){literal, sizeof literal - 1})

static inline void buffer_reserve(struct buffer *buffer, size_t more) {
    if (buffer->capacity - buffer->count >= more) return;
    buffer->capacity = 2 * (buffer->count + more);
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    if (!buffer->bytes) FAIL("out of memory");
}

static inline void buffer_add(struct buffer *buffer, struct text text) {
    buffer_reserve(buffer, text.count);
    memcpy(buffer->bytes + buffer->count, text.bytes, text.count);
    buffer->count += text.count;
}

#define BUFFER_ADD(buffer, literal) buffer_add(buffer, TEXT(literal))

static inline void buffer_add_byte(struct buffer *buffer, uint8_t byte) {
    buffer_reserve(buffer, 1);
    buffer->bytes[buffer->count++] = (char)byte;
}

static inline void buffer_add_number(struct buffer *buffer, uint64_t number) {
    char digits[20];
    size_t first = sizeof digits;
    do digits[--first] = (char)('0' + number % 10);
    while (number /= 10);
    buffer_add(buffer, (struct text){digits + first, sizeof digits - first});
}

static inline struct text buffer_text(const struct buffer *buffer) {
    return (struct text){buffer->bytes, buffer->count};
}

static inline int text_is(struct text text, struct text other) {
    return text.count == other.count && memcmp(text.bytes, other.bytes, text.count) == 0;
}
