/// The elements of an array.
public struct JSONElements: Sequence, Sendable {
    private let array: JSONValue

    init(of array: JSONValue) { self.array = array }

    /// Starts at the first element.
    public func makeIterator() -> Iterator { Iterator(array) }

    /// Walks from element to element.
    public struct Iterator: IteratorProtocol, Sendable {
        private let storage: JSONStorage
        private var element: Int
        private let end: Int

        init(_ array: JSONValue) {
            storage = array.storage
            element = array.index + 1
            end = array.kind == .array ? storage.tape.next(after: array.index) : element
        }

        /// The next element, or nil after the last.
        public mutating func next() -> JSONValue? {
            guard element < end else { return nil }
            defer { element = storage.tape.next(after: element) }
            return JSONValue(storage: storage, index: element)
        }
    }
}
