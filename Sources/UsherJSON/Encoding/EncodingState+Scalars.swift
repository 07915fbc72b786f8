extension EncodingState {
    mutating func writeNull() { writer.null() }
    mutating func write(_ value: Bool) { writer.boolean(value) }
    mutating func write(_ value: String) { writer.string(value) }
    mutating func write(_ value: some FixedWidthInteger) { writer.integer(value) }

    mutating func write(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws(JSONError) {
        writer.separate()
        guard value.isFinite else { throw fail("the number \(value) cannot be written as JSON") }
        writer.number(value)
    }
}
