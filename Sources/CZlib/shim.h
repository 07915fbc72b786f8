#pragma once
#include <zlib.h>

// Swift cannot use zlib's macros with casts, so this function uses them.

/// Starts to compress to gzip (RFC 1952) at the highest level; the output depends only on the input bytes.
static inline int usher_begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
}
