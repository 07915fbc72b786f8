extension JSONWriter {
    /// Encodes a value; dictionaries and sets are sorted, so that equal values give equal bytes.
    ///
    /// - Throws: A `JSONError` with the place in the value: a number that is not finite, nesting that is too deep, or
    ///   what the type itself throws. The writer is then as it was before.
    public mutating func encode<Value: Encodable>(_ value: Value) throws(JSONError) {
        let count = bytes.count
        let run = EncodingRun(self)
        bytes = []
        var failure: JSONError?
        do {
            try run.encode(value, as: run.state.expectValue())
        } catch {
            failure = run.state.fail(error)
        }
        swap(&bytes, &run.state.writer.bytes)
        guard let failure else { return }
        bytes.removeSubrange(count...)
        throw failure
    }
}
