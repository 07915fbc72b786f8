extension DecodingRun {
    /// Whether null at `index` stands for a value of this type, as the run's context says.
    func readsNull(as type: any Decodable.Type, at index: Int) -> Bool {
        guard isNull(index), let context else { return false }
        return context.readsNull(as: type)
    }

    /// Whether null at `index`, where an optional is decoded, stands for a value of what it wraps.
    func readsNull(asOptional type: any Decodable.Type, at index: Int) -> Bool {
        guard isNull(index), context != nil, let optional = type as? any OptionalDecodable.Type else { return false }
        return readsNull(as: optional.wrapped, at: index)
    }

    /// Decodes what may be nil; null that stands for a value is none.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value? {
        if isNull(index), !readsNull(as: type, at: index) { return nil }
        return try decode(type, at: index)
    }
}
