extension Tape {
    /// The integer literal at `index`; nil when there is none, or it does not fit.
    func integer<Number: FixedWidthInteger>(at index: Int, as type: Number.Type = Number.self) -> Number? {
        let token = tokens[index]
        guard token.kind == .integer else { return nil }
        let isNegative = bytes[Int(token.start)] == ASCII.minus
        var number: Number = 0
        for position in Int(token.start) + (isNegative ? 1 : 0)..<Int(token.end) {
            let digit = bytes[position] - ASCII.zero
            let (shifted, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, exceeds) =
                isNegative
                ? shifted.subtractingReportingOverflow(Number(digit)) : shifted.addingReportingOverflow(Number(digit))
            if overflows || exceeds { return nil }
            number = sum
        }
        return number
    }

    /// The number at `index`; nil when there is none, or it is too large for the type.
    func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(at index: Int, as type: Number.Type) -> Number?
    {
        let kind = tokens[index].kind
        guard kind == .integer || kind == .number else { return nil }
        guard let number = Number(String(decoding: text(at: index), as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}
