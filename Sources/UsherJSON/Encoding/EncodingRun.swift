extension JSONWriter {
    /// Encodes a value; dictionaries and sets are sorted, so that equal values give equal bytes.
    ///
    /// - Throws: A `JSONError` with the place in the value: a number that is not finite, nesting that is too deep, or
    ///   what the type itself throws. The writer is then as it was before.
    package mutating func encode<Value: Encodable>(_ value: Value) throws(JSONError) {
        let count = bytes.count
        let run = EncodingRun(self)
        bytes = []
        var failure: JSONError?
        do {
            try run.encode(value, as: run.state.reserveSlot())
        } catch {
            failure = run.state.fail(error)
        }
        run.state.swapBytes(&bytes)
        guard let failure else { return }
        bytes.removeSubrange(count...)
        throw failure
    }
}

/// One call of `JSONWriter.encode`, shared by all its encoders.
///
/// The state is a struct of its own, so that each step is one access to it.
final class EncodingRun {
    var state: EncodingState

    init(_ writer: consuming JSONWriter) { state = EncodingState(writer) }

    /// Encodes a value of any type into a slot.
    func encode<Value: Encodable>(_ value: Value, as slot: Int) throws {
        let (depth, start) = try state.beginValue()
        do {
            try value.encode(to: ValueEncoder(run: self, depth: depth, slot: slot))
        } catch {
            // A type that swallows the error of a part would leave half of it in the text.
            throw state.fail(error)
        }
        if state.isEmpty(slot) { throw state.fail("\(Value.self) encodes nothing") }
        try state.endValue(at: depth)
        if state.isArray(at: start), let type = Value.self as? any UnorderedCollection.Type {
            try state.sort(from: start, valuesPerElement: type.valuesPerElement)
        }
    }
}
