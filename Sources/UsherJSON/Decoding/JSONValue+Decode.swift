extension JSONValue {
    /// Decodes the value as a type, strictly: whatever the type does not read is refused.
    ///
    /// An enum case without payload may also be written as its bare name: `"close"` for `{"close":{}}`.
    /// - Throws: A `JSONError` with the place in the whole document.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(JSONError) -> Value {
        try decode(type, in: nil)
    }

    /// Decodes the value, as above, as a type that looks beside the text.
    ///
    /// - Parameter context: What the type finds there.
    package func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, in context: (any DecodingContext)?
    ) throws(JSONError) -> Value {
        let run = DecodingRun(self, context)
        let value: Value
        do {
            value = try run.decode(type, at: index)
            if let refusal = run.refusal { throw refusal }
        } catch {
            throw run.explain(error)
        }
        do throws(JSONError) {
            try run.refuseUnread()
        } catch {
            throw explain(error, type, context)
        }
        if run.hasFailed { context?.didRecover() }
        return value
    }

    /// Decodes once more, to learn which names were expected.
    private func explain(
        _ error: JSONError, _ type: (some Decodable).Type, _ context: (any DecodingContext)?
    ) -> JSONError {
        let run = DecodingRun(self, context, notingNames: true)
        do {
            _ = try run.decode(type, at: index)
            try run.refuseUnread()
            return error
        } catch let explained as JSONError {
            return explained
        } catch _ {
            return error
        }
    }
}

/// A decoding's surroundings: what types can find beside the text.
///
/// Their decoder gives it, if it is a ``ValueDecoder``.
package protocol DecodingContext: AnyObject {
    /// True if null stands for a value of this type, so that an optional of it is not nil.
    ///
    /// - Parameter type: The type that is decoded where null stands.
    func readsNull(as type: any Decodable.Type) -> Bool

    /// Is told that the value was decoded, but that a type had tried something before that failed.
    func didRecover()
}
