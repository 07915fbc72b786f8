/// What one call of `JSONWriter.encode` knows: the writer, and which containers are open.
///
/// Containers are values that never say when they are done; so each is closed when a container around it is written
/// to again, or when the value that it belongs to has been encoded.
final class EncodingRun {
    /// A container that has been begun.
    struct Container {
        /// The value that the container is of.
        let owner: Int
        let isObject: Bool
        var count = 0
    }

    private(set) var writer: JSONWriter
    private(set) var open: [Container] = []
    /// Where in the writer's bytes this run began.
    private let start: Int
    /// The value that is to be written next, or 0.
    private var pending = 0
    private var lastOwner = 0
    private var nesting = 0
    /// What went wrong where nothing could be thrown.
    private var failure: JSONError?

    init(_ writer: consuming JSONWriter) {
        start = writer.bytes.count
        self.writer = writer
        open.reserveCapacity(8)
    }

    /// Takes the bytes out, so that they have one owner again.
    func takeBytes() -> [UInt8] {
        defer { writer.bytes = [] }
        return writer.bytes
    }

    /// The way to where the writer is now.
    func path(depth: Int? = nil) -> [PathKey] {
        let path = PartialPath(of: writer.bytes[start...]).keys
        return Array(path.prefix(depth ?? path.count))
    }

    func error(_ reason: String) -> JSONError { JSONError(.shape, reason, at: path().pointer) }

    /// Notes an error where nothing can be thrown; the first counts.
    func fail(_ error: JSONError) {
        if failure == nil { failure = error }
    }

    func checkFailure() throws(JSONError) {
        if let failure { throw failure }
    }
}

// MARK: Values

extension EncodingRun {
    /// Makes room for a value: who has the number may write it.
    func expectValue() -> Int {
        lastOwner += 1
        pending = lastOwner
        return lastOwner
    }

    /// Encodes a value of any type.
    func encode<Value: Encodable>(_ value: Value, as owner: Int) throws {
        try checkFailure()
        guard nesting < 4 * JSONDocument.maximumDepth else { throw tooDeep }
        nesting += 1
        defer { nesting -= 1 }
        guard let unordered = Value.self as? any UnorderedCollection.Type else {
            return try encodeAsIs(value, as: owner)
        }
        writer.separate()
        let first = writer.bytes.count
        try encodeAsIs(value, as: owner)
        do throws(JSONError) {
            try writer.sortValue(from: first, valuesPerElement: unordered.valuesPerElement)
        } catch {
            throw self.error(error.reason)
        }
    }

    private func encodeAsIs<Value: Encodable>(_ value: Value, as owner: Int) throws {
        let depth = open.count
        try value.encode(to: ValueEncoder(run: self, depth: depth, owner: owner))
        try checkFailure()
        guard pending != owner else { throw error("\(Value.self) encodes nothing") }
        settle(to: depth)
    }

    /// Lets `owner` write its one value, if its turn is now.
    func scalar(of owner: Int, _ write: (inout JSONWriter) -> Bool) throws {
        try checkFailure()
        guard pending == owner else { throw outOfTurn }
        guard write(&writer) else { throw error("a number that is not finite cannot be written as JSON") }
        pending = 0
    }

    private var tooDeep: JSONError {
        JSONError(.depth, "more than \(JSONDocument.maximumDepth) levels of nesting", at: path().pointer)
    }

    private var outOfTurn: JSONError {
        error("a container was written to after another one beside or around it; finish each before the next")
    }
}

// MARK: Containers

extension EncodingRun {
    /// Begins the container of `owner`, or finds the one that it has begun already.
    func begin(_ isObject: Bool, of owner: Int, depth: Int) {
        guard failure == nil else { return }
        if pending == owner {
            guard open.count < JSONDocument.maximumDepth else { return failure = tooDeep }
            pending = 0
            if isObject { writer.beginObject() } else { writer.beginArray() }
            open.append(Container(owner: owner, isObject: isObject))
        } else if !isOpen(owner, depth) || open[depth].isObject != isObject {
            failure = outOfTurn
        }
    }

    /// Readies the container of `owner` for its next member or element, closing all inside it.
    func ready(_ owner: Int, depth: Int) throws(JSONError) {
        try checkFailure()
        guard isOpen(owner, depth) else { throw outOfTurn }
        settle(to: depth + 1)
        open[depth].count += 1
    }

    func key(_ key: some CodingKey) { writer.key(key.stringValue) }

    private func isOpen(_ owner: Int, _ depth: Int) -> Bool { depth < open.count && open[depth].owner == owner }

    /// Closes containers until so many are open; a value that was promised and never written is an empty object.
    private func settle(to depth: Int) {
        if pending != 0 {
            writer.beginObject()
            writer.endObject()
            pending = 0
        }
        while open.count > depth, let container = open.popLast() {
            if container.isObject { writer.endObject() } else { writer.endArray() }
        }
    }
}
