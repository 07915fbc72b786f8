extension JSONWriter {
    /// Writes an integer.
    public mutating func integer(_ number: some BinaryInteger) {
        separate()
        if let magnitude = UInt64(exactly: number.magnitude) {
            if number < 0 { bytes.append(ASCII.minus) }
            append(digits: magnitude)
        } else {
            bytes.append(contentsOf: String(number).utf8)
        }
    }

    /// Writes a number with the fewest digits that give it back, `1` rather than `1.0`; nothing if it is not finite.
    ///
    /// - Returns: Whether it was finite, and so was written.
    mutating func number(_ number: some BinaryFloatingPoint & CustomStringConvertible) -> Bool {
        guard number.isFinite else { return false }
        separate()
        bytes.append(contentsOf: number.description.utf8)
        if bytes.suffix(2) == [ASCII.point, ASCII.zero] { bytes.removeLast(2) }
        return true
    }

    private mutating func append(digits number: UInt64) {
        var scale: UInt64 = 1
        while number / scale >= 10 { scale *= 10 }
        while scale > 0 {
            bytes.append(ASCII.zero + UInt8(truncatingIfNeeded: number / scale % 10))
            scale /= 10
        }
    }
}
