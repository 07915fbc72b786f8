/// The members of an object, in the order of the text.
public struct JSONMembers: Sequence, Sendable {
    private let object: JSONValue

    init(of object: JSONValue) { self.object = object }

    /// Starts at the first member.
    public func makeIterator() -> Iterator { Iterator(object) }

    /// Walks from member to member.
    public struct Iterator: IteratorProtocol, Sendable {
        private let storage: JSONStorage
        private var key: Int
        private let end: Int

        init(_ object: JSONValue) {
            storage = object.storage
            key = object.index + 1
            end = object.kind == .object ? storage.tape.next(after: object.index) : key
        }

        /// The next member, or nil after the last.
        public mutating func next() -> (name: String, value: JSONValue)? {
            guard key < end else { return nil }
            let value = JSONValue(storage: storage, index: key + 1)
            let name = storage.tape.string(at: key)
            key = storage.tape.next(after: value.index)
            return (name, value)
        }
    }
}
