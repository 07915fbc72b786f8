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
