/// Operations on many bytes at once, which check a range once instead of checking each byte.
///
/// All unsafe code of these operations is in this file.
extension Span<UInt8> {
    /// Returns the eight bytes at an offset, which must exist.
    @inlinable @inline(__always)
    package func eightBytes(at offset: Int) -> EightBytes {
        precondition(offset >= 0 && offset <= count &- 8)
        return EightBytes(
            unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)))
    }

    @inlinable @inline(__always)
    package func isSame(as others: Span<UInt8>) -> Bool {
        guard count == others.count else { return false }
        guard count > 8 else { return isEmpty || inOneWord == others.inOneWord }
        var offset = 0
        while offset < count &- 8 {
            guard eightBytes(at: offset) == others.eightBytes(at: offset) else { return false }
            offset &+= 8
        }
        return eightBytes(at: count &- 8) == others.eightBytes(at: count &- 8)
    }

    /// One to eight bytes in one word; if the span has fewer than eight bytes, some of them are repeated.
    ///
    /// If all bytes in the word pass a test, all bytes in the span pass the test.
    @inlinable @inline(__always)
    package var inOneWord: EightBytes {
        if count == 8 { return eightBytes(at: 0) }
        if count >= 4 { return EightBytes(UInt64(fourBytes(at: 0)) | UInt64(fourBytes(at: count &- 4)) << 32) }
        let ends = UInt64(self[0]) | UInt64(self[count &- 1]) << 8 | UInt64(self[count / 2]) << 16
        return EightBytes(ends | ends << 24 | UInt64(self[0]) << 48 | UInt64(self[0]) << 56)
    }

    @inlinable @inline(__always)
    func fourBytes(at offset: Int) -> UInt32 {
        precondition(offset >= 0 && offset <= count &- 4)
        return unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
    }
}

extension UInt64 {
    /// The number of decimal digits, at most 20.
    @inlinable @inline(__always)
    package var digitCount: Int {
        var (count, limit) = (1, UInt64(10))
        while limit <= self, count < 20 {
            count &+= 1
            limit = count < 20 ? limit &* 10 : .max
        }
        return count
    }
}

extension String {
    /// Creates a string from UTF-8; replaces bytes that are not UTF-8 by U+FFFD.
    @inlinable @inline(__always)
    package init(decoding bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Creates a string whose UTF-8 is written directly into its storage; up to 15 bytes need no allocation.
    @inlinable @inline(__always)
    package init(capacity: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer in
            var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
            write(&output)
            return unsafe output.finalize(for: buffer)
        }
    }
}

extension StaticString {
    /// Calls a closure with the bytes in the program's image, or with none for a single character outside ASCII.
    @inlinable @inline(__always)
    package func withBytes<Answer>(_ body: (Span<UInt8>) -> Answer) -> Answer {
        guard hasPointerRepresentation else { return body(Span()) }
        return unsafe body(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).span)
    }
}

/// Appending to a buffer in which the caller has reserved room.
///
/// Each caller computes the capacity from the same counts that it then appends, so no input reaches the traps. Without
/// them, a caller's mistake would overwrite other memory.
extension OutputSpan<UInt8> {
    /// Appends bytes, for which there must be room.
    @inlinable @inline(__always)
    package mutating func append(copying source: Span<UInt8>) {
        unsafe source.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe append(copying: start, source.count)
        }
    }

    /// Appends the decimal digits of a number, for which there must be room.
    @inlinable
    package mutating func append(decimal number: UInt64) {
        if number < 10 { return append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)) }
        let size = number.digitCount
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            guard let start = buffer.baseAddress, buffer.count &- count >= size else { preconditionFailure() }
            var rest = number
            var place = count &+ size
            while place > count {
                place &-= 1
                unsafe start[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            count &+= size
        }
    }

    /// Appends the sixteen lowercase hexadecimal digits of a number, for which there must be room.
    @inlinable @inline(__always)
    package mutating func append(hexadecimal number: UInt64) {
        append(EightBytes(hexadecimal: UInt32(truncatingIfNeeded: number >> 32)))
        append(EightBytes(hexadecimal: UInt32(truncatingIfNeeded: number)))
    }

    /// Appends eight bytes, for which there must be room.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: EightBytes) {
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            guard let start = buffer.baseAddress, buffer.count &- count >= 8 else { preconditionFailure() }
            unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: bytes.word.littleEndian, as: UInt64.self)
            count &+= 8
        }
    }

    @inlinable @inline(__always)
    mutating func append(copying source: UnsafePointer<UInt8>, _ size: Int) {
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            guard let start = buffer.baseAddress, buffer.count &- count >= size else { preconditionFailure() }
            unsafe UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: size)
            count &+= size
        }
    }
}
