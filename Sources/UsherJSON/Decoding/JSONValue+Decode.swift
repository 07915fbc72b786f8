extension JSONValue {
    /// Decodes the value strictly: members and elements that the type does not read are errors.
    ///
    /// An enum case without a payload may be a string: `"close"` for `{"close":{}}`.
    ///
    /// - Throws: A `JSONError` with the place in the document.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(JSONError) -> Value {
        try decode(type, in: nil)
    }

    /// Decodes the value strictly; the type gets `context`, which is not part of the text, from its `ValueDecoder`.
    ///
    /// - Throws: A `JSONError` with the place in the document.
    package func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, in context: (any DecodingContext)?
    ) throws(JSONError) -> Value {
        let run = DecodingRun(tape, at: index, context)
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

    /// Decodes again in order to find out which names the types expected.
    private func explain(
        _ error: JSONError, _ type: (some Decodable).Type, _ context: (any DecodingContext)?
    ) -> JSONError {
        let run = DecodingRun(tape, at: index, context, notingNames: true)
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

/// Information for types that is not part of the decoded text, available from their ``ValueDecoder``.
package protocol DecodingContext: AnyObject {
    /// Returns whether null is a value of this type, so that an optional of this type does not decode null as nil.
    func readsNull(as type: any Decodable.Type) -> Bool

    /// Called when the value was decoded, but a type's first attempt had failed before another attempt succeeded.
    func didRecover()
}
