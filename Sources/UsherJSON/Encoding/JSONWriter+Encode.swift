extension JSONWriter {
    /// Encodes a value; dictionaries and sets are sorted, so that equal values give equal bytes.
    ///
    /// - Throws: A `JSONError` with the place in the value: a number that is not finite, nesting that is too deep, or
    ///   what the type itself throws. The writer is then as it was before.
    public mutating func encode<Value: Encodable>(_ value: Value) throws(JSONError) {
        let count = bytes.count
        let run = EncodingRun(self)
        bytes = []
        do {
            try run.encode(value, as: run.expectValue())
            bytes = run.takeBytes()
        } catch {
            let error = run.explain(error)
            bytes = run.takeBytes()
            bytes.removeSubrange(count...)
            throw error
        }
    }
}

extension EncodingRun {
    /// An error that a type threw, with its place.
    fileprivate func explain(_ error: any Error) -> JSONError {
        switch error {
        case let error as JSONError: error
        case EncodingError.invalidValue(_, let context): self.error(context.debugDescription)
        default: self.error(String(describing: error))
        }
    }
}
