/// The writer of an `EncodingRun`, which containers are open, and whose turn it is to write.
///
/// Containers are values that never say when they are done; so each is closed when a container around it is written
/// to again, or when the value that it belongs to has been encoded. The first error stays: nothing is written after it.
struct EncodingState {
    var writer: JSONWriter
    private var open = OpenContainers()
    /// Where in the writer's bytes this run began.
    let start: Int
    /// The value that is to be written next, or 0.
    private var pending = 0
    private var lastOwner = 0
    private var nesting = 0
    /// What went wrong first.
    var failure: JSONError?

    init(_ writer: consuming JSONWriter) {
        start = writer.bytes.count
        self.writer = writer
    }

    // MARK: Values

    /// Goes into a value that encodes itself; says how many containers are around it, and where its text begins.
    mutating func enter() throws(JSONError) -> (depth: Int, start: Int) {
        if let failure { throw failure }
        guard nesting < 4 * JSONDocument.maximumDepth else { throw fail(tooDeep) }
        nesting += 1
        writer.separate()
        return (open.count, writer.bytes.count)
    }

    /// Leaves the value, and closes what it has opened.
    mutating func leave(to depth: Int) throws(JSONError) {
        nesting -= 1
        settle(to: depth)
        if let failure { throw failure }
    }

    /// Makes room for a value: who has the number may write it.
    mutating func expectValue() -> Int {
        lastOwner += 1
        pending = lastOwner
        return lastOwner
    }

    /// Whether the value is still to be written.
    func isPending(_ owner: Int) -> Bool { pending == owner && failure == nil }

    /// Begins the one value of `owner`, if its turn is now.
    mutating func claim(_ owner: Int) throws(JSONError) {
        if let failure { throw failure }
        guard pending == owner else { throw fail(outOfTurn) }
        pending = 0
    }

    // MARK: Containers

    /// Begins the container of `owner`, or finds the one that it has begun already.
    mutating func begin(isObject: Bool, isDictionary: Bool, of owner: Int, depth: Int) {
        guard failure == nil else { return }
        if pending == owner {
            guard open.count < JSONDocument.maximumDepth else { return failure = tooDeep }
            pending = 0
            writer.separate()
            let start = writer.bytes.count
            open.append(
                OpenContainer(owner: owner, isObject: isObject, isDictionary: isDictionary, start: start))
            if isObject { writer.beginObject() } else { writer.beginArray() }
        } else if container(of: owner, depth)?.isObject != isObject {
            failure = outOfTurn
        }
    }

    /// Readies the container of `owner` for its next member or element, closing all inside it.
    mutating func ready(_ owner: Int, depth: Int) throws(JSONError) {
        if let failure { throw failure }
        guard container(of: owner, depth) != nil else { throw fail(outOfTurn) }
        if pending != 0 || open.count > depth + 1 { settle(to: depth + 1) }
        open.countChild(at: depth)
        if let failure { throw failure }
    }

    /// Readies the object of `owner` for its next member, and writes the name.
    mutating func member(_ name: String, of owner: Int, depth: Int) throws(JSONError) {
        try ready(owner, depth: depth)
        writer.key(name)
    }

    /// How many members or elements the container of `owner` has so far.
    func count(_ owner: Int, depth: Int) -> Int { container(of: owner, depth)?.count ?? 0 }

    private func container(of owner: Int, _ depth: Int) -> OpenContainer? {
        guard let container = open[depth], container.owner == owner else { return nil }
        return container
    }

    /// Closes containers until so many are open; a value that was promised and never written is an empty object.
    private mutating func settle(to depth: Int) {
        if pending != 0 {
            writer.beginObject()
            writer.endObject()
            pending = 0
        }
        while open.count > depth, let container = open.popLast() {
            if container.isObject { writer.endObject() } else { writer.endArray() }
            if container.isDictionary { try? sort(from: container.start, valuesPerElement: 2) }
        }
    }
}

extension EncodingState {
    mutating func writeNull() { writer.null() }
    mutating func write(_ value: Bool) { writer.boolean(value) }
    mutating func write(_ value: String) { writer.string(value) }
    mutating func write(_ value: some FixedWidthInteger) { writer.integer(value) }

    mutating func write(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws(JSONError) {
        writer.separate()
        guard value.isFinite else { throw fail("the number \(value) cannot be written as JSON") }
        writer.number(value)
    }
}

extension EncodingState {
    /// Whether the text from `start` on is an array.
    func isArray(at start: Int) -> Bool {
        start < writer.bytes.count && writer.bytes[start] == ASCII.openBracket
    }

    /// Sorts the value that begins at `start` and has just ended.
    mutating func sort(from start: Int, valuesPerElement: Int) throws(JSONError) {
        do throws(JSONError) {
            try writer.sortValue(from: start, valuesPerElement: valuesPerElement)
        } catch {
            throw fail(error.reason)
        }
    }
}

extension EncodingState {
    /// The way to where the writer is now.
    func path(depth: Int? = nil) -> [PathKey] {
        let path = PartialPath(of: writer.bytes[start...]).keys
        return Array(path.prefix(depth ?? path.count))
    }

    /// Notes an error; the first counts, and is given back.
    mutating func fail(_ error: JSONError) -> JSONError {
        let first = failure ?? error
        failure = first
        return first
    }

    /// Notes an error at the place where the writer is now.
    mutating func fail(_ reason: String) -> JSONError {
        fail(JSONError(.shape, reason, at: path().pointer))
    }

    /// Notes an error that a type threw.
    mutating func fail(_ error: any Error) -> JSONError {
        switch error {
        case let error as JSONError: fail(error)
        case EncodingError.invalidValue(_, let context): fail(context.debugDescription)
        default: fail(String(describing: error))
        }
    }

    var tooDeep: JSONError {
        JSONError(.depth, "more than \(JSONDocument.maximumDepth) levels of nesting", at: path().pointer)
    }

    var outOfTurn: JSONError {
        let reason = "a value was written out of turn: one container must be finished before the next one beside it"
        return JSONError(.shape, reason, at: path().pointer)
    }
}

/// The containers that an encoding has begun and not closed, the outermost first.
///
/// The outermost stands in place: most screens are one object of scalars.
struct OpenContainers {
    private var outermost: OpenContainer?
    private var inner: [OpenContainer] = []

    var count: Int { outermost == nil ? 0 : inner.count + 1 }

    mutating func append(_ container: OpenContainer) {
        if outermost == nil { outermost = container } else { inner.append(container) }
    }

    mutating func popLast() -> OpenContainer? {
        if let last = inner.popLast() { return last }
        defer { outermost = nil }
        return outermost
    }

    /// The container with so many around it; nil where that is not open.
    subscript(depth: Int) -> OpenContainer? {
        if depth == 0 { return outermost }
        return depth <= inner.count ? inner[depth - 1] : nil
    }

    /// Counts a member or an element of the container with so many around it.
    mutating func countChild(at depth: Int) {
        if depth == 0 { outermost?.count += 1 } else { inner[depth - 1].count += 1 }
    }
}

/// A container that an encoding has begun.
struct OpenContainer {
    /// The value that the container is of.
    let owner: Int
    let isObject: Bool
    /// Whether the members have no order of their own.
    let isDictionary: Bool
    /// Where in the writer's bytes it begins.
    let start: Int
    var count = 0
}
