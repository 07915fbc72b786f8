import CBytes

extension Span<UInt8> {
    /// The IP address whose text form (RFC 4291 §2.2) the bytes are, as version 6 has it; nil for anything else.
    ///
    /// An address of version 4 is the one that version 6 maps it to (RFC 4291 §2.5.5.2).
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
