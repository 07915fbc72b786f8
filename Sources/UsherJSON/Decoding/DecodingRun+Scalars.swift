extension DecodingRun {
    func isNull(_ index: Int) -> Bool { tape.tokens[index].kind == .null }

    func boolean(at index: Int) throws -> Bool {
        switch tape.tokens[index].kind {
        case .yes: return true
        case .no: return false
        default: throw mismatch(Bool.self, "a boolean", at: index)
        }
    }

    func string(at index: Int) throws -> String {
        guard tape.tokens[index].kind == .string else { throw mismatch(String.self, "a string", at: index) }
        return tape.string(at: index)
    }

    func integer<Number: FixedWidthInteger>(at index: Int) throws -> Number {
        guard let number = tape.integer(at: index, as: Number.self) else { throw unfit(Number.self, at: index) }
        return number
    }

    func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(at index: Int) throws -> Number {
        guard let number = tape.number(at: index, as: Number.self) else { throw unfit(Number.self, at: index) }
        return number
    }
}
