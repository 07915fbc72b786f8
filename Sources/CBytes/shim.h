#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A second name for `inet_pton`: if this header declared the real name, the function would no longer belong to Glibc.
int usher_inet_pton(int family, const char *text, void *address) __asm__("inet_pton");

/// Parses an IP address into the 16 bytes of an IPv6 address, IPv4 in its mapped form; false for any other text.
static inline bool usher_read_address(const uint8_t *text, size_t size, uint8_t address[16]) {
    enum { version4 = 2, version6 = 10 };  // AF_INET and AF_INET6.
    char copy[46];
    if (size == 0 || size >= sizeof copy || __builtin_memchr(text, 0, size)) return false;
    __builtin_memcpy(copy, text, size);
    copy[size] = 0;
    __builtin_memset(address, 0, 10);
    __builtin_memset(address + 10, 0xFF, 2);
    return usher_inet_pton(version4, copy, address + 12) == 1 || usher_inet_pton(version6, copy, address) == 1;
}

// The processor's instruction for CRC-32C, which Swift cannot express. The functions are compiled for processors that
// have the instruction, and are called only on these.

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
