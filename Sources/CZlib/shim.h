#pragma once
#include <zlib.h>

// zlib's macros that cast cannot be used from Swift; this can.

/// Begins to compress in the format of gzip (RFC 1952), as small as may be; what it writes depends on the bytes alone.
static inline int usher_begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
}
