/// What types can find beside the text while they are decoded: their decoder gives it, if it is a ``ValueDecoder``.
package protocol DecodingContext: AnyObject {
    /// Whether null stands for a value of this type, so that an optional of it is not nil.
    ///
    /// - Parameter type: What is decoded where null stands.
    func readsNull(as type: any Decodable.Type) -> Bool

    /// Is told that the value was decoded, but that a type had tried something before that failed.
    func didRecover()
}
