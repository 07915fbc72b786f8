import CBytes

extension Span<UInt8> {
    /// The IP address in its text form (RFC 4291 §2.2), or nil for anything else.
    ///
    /// An IPv4 address is returned as an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
    package var networkAddress: UInt128? {
        var address = UInt128.zero
        let isRead = unsafe withUnsafeBufferPointer { text in
            unsafe withUnsafeMutableBytes(of: &address) { bytes in
                unsafe usher_read_address(
                    text.baseAddress, text.count, bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
            }
        }
        return isRead ? UInt128(bigEndian: address) : nil
    }
}
