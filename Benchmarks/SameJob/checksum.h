// The checksum CRC-32C (Castagnoli), as RFC 3720, appendix B.4, has it: by the processor's instruction where it has
// one, as usher does it.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// Asks the processor and makes the tables, before there is a second thread.
void checksum_prepare(void);

/// Begins with ~0; the checksum is ~ of the last sum.
uint32_t checksum_add_word(uint32_t sum, uint64_t word);
uint32_t checksum_add(uint32_t sum, const void *bytes, size_t count);
