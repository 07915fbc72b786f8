extension JSONWriter {
    /// Writes an integer.
    @inlinable
    public mutating func integer(_ number: some BinaryInteger) {
        if let small = Int64(exactly: number) {
            append(small.magnitude, isNegative: small < 0)
        } else if let large = UInt64(exactly: number) {
            append(large, isNegative: false)
        } else {
            append(literal: String(number))
        }
    }

    /// Writes a finite number with the fewest digits that give it back, `1` rather than `1.0`.
    mutating func number(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
        append(literal: number.description)
        if bytes.last == ASCII.zero, bytes.dropLast().last == ASCII.point { bytes.removeLast(2) }
    }

    @usableFromInline
    mutating func append(literal: String) {
        separate()
        bytes.append(contentsOf: literal.utf8)
    }

    @usableFromInline
    mutating func append(_ magnitude: UInt64, isNegative: Bool) {
        separate()
        if isNegative { bytes.append(ASCII.minus) }
        if magnitude < 10 { return bytes.append(ASCII.zero + UInt8(truncatingIfNeeded: magnitude)) }
        var scale: UInt64 = 10
        while magnitude / scale >= 10 { scale *= 10 }
        while scale > 0 {
            bytes.append(ASCII.zero + UInt8(truncatingIfNeeded: magnitude / scale % 10))
            scale /= 10
        }
    }
}
