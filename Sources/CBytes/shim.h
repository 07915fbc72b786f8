#pragma once
#include <stdbool.h>
#include <stdint.h>

// The processor's instruction for CRC-32C, which Swift cannot name. Each function is compiled for processors that have it;
// it is called only on those.

#if defined(__x86_64__)

static inline bool usher_has_crc32c(void) { return __builtin_cpu_supports("sse4.2"); }

__attribute__((target("sse4.2"))) static inline uint32_t usher_crc32c_word(uint32_t sum, uint64_t word) {
    return (uint32_t)__builtin_ia32_crc32di(sum, word);
}

__attribute__((target("sse4.2"))) static inline uint32_t usher_crc32c_byte(uint32_t sum, uint8_t byte) {
    return __builtin_ia32_crc32qi(sum, byte);
}

#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>

static inline bool usher_has_crc32c(void) { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }

__attribute__((target("crc"))) static inline uint32_t usher_crc32c_word(uint32_t sum, uint64_t word) {
    return __builtin_arm_crc32cd(sum, word);
}

__attribute__((target("crc"))) static inline uint32_t usher_crc32c_byte(uint32_t sum, uint8_t byte) {
    return __builtin_arm_crc32cb(sum, byte);
}

#else

static inline bool usher_has_crc32c(void) { return false; }
static inline uint32_t usher_crc32c_word(uint32_t sum, uint64_t word) { return (void)word, sum; }
static inline uint32_t usher_crc32c_byte(uint32_t sum, uint8_t byte) { return (void)byte, sum; }

#endif
