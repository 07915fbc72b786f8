/// What one call of `JSONWriter.encode` shares among its encoders.
///
/// The state is a struct of its own, so that each step is one access to it.
final class EncodingRun {
    var state: EncodingState

    init(_ writer: consuming JSONWriter) { state = EncodingState(writer) }

    /// Encodes a value of any type.
    func encode<Value: Encodable>(_ value: Value, as owner: Int) throws {
        let (depth, start) = try state.enter()
        do {
            try value.encode(to: ValueEncoder(run: self, depth: depth, owner: owner))
        } catch {
            // A type that swallows the error of a part would leave half of it in the text.
            throw state.fail(error)
        }
        if state.isPending(owner) { throw state.fail("\(Value.self) encodes nothing") }
        try state.leave(to: depth)
        if state.isArray(at: start), let type = Value.self as? any UnorderedCollection.Type {
            try state.sort(from: start, valuesPerElement: type.valuesPerElement)
        }
    }
}
