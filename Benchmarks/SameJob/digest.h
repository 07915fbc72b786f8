// A hash that is equal for equal values, computed as usher does: 64-bit FNV-1a, followed by a mix.

#pragma once

#include "buffer.h"

static const uint64_t digest_start = 0xCBF29CE484222325;

static inline uint64_t digest_add_byte(uint64_t state, uint8_t byte) { return (state ^ byte) * 0x100000001B3; }

static inline uint64_t digest_add_number(uint64_t state, uint64_t number) {
    for (int place = 0; place < 8; place++, number >>= 8) state = digest_add_byte(state, (uint8_t)number);
    return state;
}

/// Adds a text and an end mark, so that two texts differ from their concatenation.
static inline uint64_t digest_add(uint64_t state, struct text text) {
    for (size_t index = 0; index < text.count; index++) state = digest_add_byte(state, (uint8_t)text.bytes[index]);
    return digest_add_byte(state, 0xFF);
}

/// Returns the mixed hash, so that hashes can be combined with `^`.
static inline uint64_t digest_value(uint64_t state) {
    uint64_t mixed = (state ^ state >> 33) * 0xFF51AFD7ED558CCD;
    return mixed ^ mixed >> 33;
}
