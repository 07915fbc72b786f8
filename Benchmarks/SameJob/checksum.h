// The checksum CRC-32C (Castagnoli) of RFC 3720, appendix B.4; like usher, it uses the processor's instruction if there
// is one.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// Detects the instruction and creates the tables; call this function before a second thread starts.
void checksum_prepare(void);

/// Adds eight bytes to a sum. The first sum is ~0; the checksum is ~ of the last sum.
uint32_t checksum_add_word(uint32_t sum, uint64_t word);
uint32_t checksum_add(uint32_t sum, const void *bytes, size_t count);
