#include "checksum.h"

#include <stdbool.h>
#include <string.h>

static bool has_instruction;

/// The first table advances a sum by one byte, the eighth by eight bytes.
static uint32_t tables[8][256];

// The implementation with the processor's instruction, called only on processors that have it.

#if defined(__x86_64__)

static bool asked_processor(void) { return __builtin_cpu_supports("sse4.2"); }

__attribute__((target("sse4.2"))) static uint32_t add_by_instruction(uint32_t sum, const uint8_t *bytes, size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        sum = (uint32_t)__builtin_ia32_crc32di(sum, word);
    }
    for (; count > 0; bytes++, count--) sum = __builtin_ia32_crc32qi(sum, *bytes);
    return sum;
}

#else

// Other kinds of processors use the tables.

static bool asked_processor(void) { return false; }

static uint32_t add_by_instruction(uint32_t sum, const uint8_t *bytes, size_t count) {
    return (void)bytes, (void)count, sum;
}

#endif

// The implementation with tables.

static void make_tables(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t sum = byte;
        for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0x82F63B78 : sum >> 1;
        tables[0][byte] = sum;
    }
    for (int table = 1; table < 8; table++)
        for (int byte = 0; byte < 256; byte++)
            tables[table][byte] = tables[table - 1][byte] >> 8 ^ tables[0][tables[table - 1][byte] & 0xFF];
}

static uint32_t add_by_tables(uint32_t sum, const uint8_t *bytes, size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        word ^= sum;
        sum = 0;
        for (int place = 0; place < 8; place++) sum ^= tables[7 - place][word >> 8 * place & 0xFF];
    }
    for (; count > 0; bytes++, count--) sum = sum >> 8 ^ tables[0][(sum ^ *bytes) & 0xFF];
    return sum;
}

void checksum_prepare(void) {
    has_instruction = asked_processor();
    if (!has_instruction) make_tables();
}

uint32_t checksum_add(uint32_t sum, const void *bytes, size_t count) {
    return has_instruction ? add_by_instruction(sum, bytes, count) : add_by_tables(sum, bytes, count);
}

uint32_t checksum_add_word(uint32_t sum, uint64_t word) { return checksum_add(sum, &word, sizeof word); }
