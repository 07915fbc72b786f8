extension JSONWriter {
    /// Encodes a value; dictionaries and sets are sorted, so that equal values give equal bytes.
    ///
    /// - Throws: A `JSONError` with the place in the value: a number that is not finite, nesting that is too deep, or
    ///   what the type itself throws. The writer is then as it was before.
    package mutating func encode<Value: Encodable>(_ value: Value) throws(JSONError) {
        let count = bytes.count
        let run = EncodingRun(self)
        bytes = []
        var failure: JSONError?
        do {
            try run.encode(value, as: run.state.reserveSlot())
        } catch {
            failure = run.state.fail(error)
        }
        run.state.swapBytes(&bytes)
        guard let failure else { return }
        bytes.removeSubrange(count...)
        throw failure
    }
}

/// One call of `JSONWriter.encode`, shared by all its encoders.
///
/// The state is a struct of its own, and accessed without checks for exclusivity: each step is one access to it, in which no
/// type's own `encode(to:)` runs.
final class EncodingRun {
    @safe @exclusivity(unchecked) var state: EncodingState

    init(_ writer: consuming JSONWriter) { state = EncodingState(writer) }

    /// Encodes a value of any type into a slot.
    func encode<Value: Encodable>(_ value: Value, as slot: Int) throws {
        let (depth, start) = try state.beginValue()
        do {
            try value.encode(to: ValueEncoder(run: self, depth: depth, slot: slot))
        } catch {
            // A type that swallows the error of a part would leave half of it in the text.
            throw state.fail(error)
        }
        if state.isEmpty(slot) { throw state.fail("\(Value.self) encodes nothing") }
        try state.endValue(at: depth)
        if state.isArray(at: start), let type = Value.self as? any UnorderedCollection.Type {
            try state.sort(from: start, valuesPerElement: type.valuesPerElement)
        }
    }
}

/// The state of an encoding: its writer, the containers that are open, and the slot that is to be filled next.
///
/// A slot is the place of one value: the encoder that has its number may write it, once, and while it is its turn.
/// Encoding containers are values that never say when they are done; so each is closed when a container around it is
/// written to again, or when the value that it belongs to has been encoded. The first error stays: nothing is written
/// after it.
struct EncodingState {
    private var writer: JSONWriter
    private var open = OpenContainers()
    /// The beginning of this encoding in the writer's bytes.
    private let start: Int
    /// The slot that is to be filled next, or 0.
    private var empty = 0
    private var lastSlot = 0
    private var nesting = 0
    /// The first error.
    private var failure: JSONError?

    init(_ writer: consuming JSONWriter) {
        start = writer.bytes.count
        self.writer = writer
    }

    /// Hands the bytes over to the caller's writer.
    mutating func swapBytes(_ bytes: inout [UInt8]) { swap(&bytes, &writer.bytes) }

    // MARK: Values

    /// Begins a value that encodes itself; gives the number of containers around it, and the start of its text.
    mutating func beginValue() throws(JSONError) -> (depth: Int, start: Int) {
        if let failure { throw failure }
        guard nesting < 4 * JSONDocument.maximumDepth else { throw fail(tooDeep) }
        nesting += 1
        writer.separate()
        return (open.count, writer.bytes.count)
    }

    /// Ends the value, and closes the containers that it has opened.
    mutating func endValue(at depth: Int) throws(JSONError) {
        nesting -= 1
        closeContainers(to: depth)
        if let failure { throw failure }
    }

    /// Makes a slot for the next value.
    mutating func reserveSlot() -> Int {
        lastSlot += 1
        empty = lastSlot
        return lastSlot
    }

    /// True while the slot's value is still to be written.
    func isEmpty(_ slot: Int) -> Bool { empty == slot && failure == nil }

    /// Begins the one value of a slot, if its turn is now.
    mutating func fill(_ slot: Int) throws(JSONError) {
        if let failure { throw failure }
        guard empty == slot else { throw fail(outOfTurn) }
        empty = 0
    }

    // MARK: Containers

    /// Begins the container of a slot, or finds the one that it has begun already.
    mutating func beginContainer(isObject: Bool, isDictionary: Bool, of slot: Int, depth: Int) {
        guard failure == nil else { return }
        if empty == slot {
            guard open.count < JSONDocument.maximumDepth else { return failure = tooDeep }
            empty = 0
            writer.separate()
            let start = writer.bytes.count
            open.append(OpenContainer(slot: slot, isObject: isObject, isDictionary: isDictionary, start: start))
            if isObject { writer.beginObject() } else { writer.beginArray() }
        } else if !isOpen(slot, depth) || open[depth]?.isObject != isObject {
            failure = outOfTurn
        }
    }

    /// Begins the next element of a slot's array, closing all inside it.
    mutating func beginElement(of slot: Int, depth: Int) throws(JSONError) {
        if let failure { throw failure }
        guard isOpen(slot, depth) else { throw fail(outOfTurn) }
        if empty != 0 || open.count > depth + 1 { closeContainers(to: depth + 1) }
        open.countChild(at: depth)
        if let failure { throw failure }
    }

    /// Begins the next member of a slot's object, and writes the name.
    mutating func beginMember(_ name: String, of slot: Int, depth: Int) throws(JSONError) {
        try beginElement(of: slot, depth: depth)
        writer.key(name)
    }

    /// The number of members or elements that a slot's container has so far.
    func count(of slot: Int, depth: Int) -> Int { isOpen(slot, depth) ? open[depth]?.count ?? 0 : 0 }

    /// True if the container of a slot is open, with so many around it.
    @inline(__always)
    private func isOpen(_ slot: Int, _ depth: Int) -> Bool { open[depth]?.slot == slot }

    /// Closes containers until so many are open; a slot that was never filled is an empty object.
    private mutating func closeContainers(to depth: Int) {
        if empty != 0 {
            writer.beginObject()
            writer.endObject()
            empty = 0
        }
        while open.count > depth, let container = open.popLast() {
            if container.isObject { writer.endObject() } else { writer.endArray() }
            if container.isDictionary { try? sort(from: container.start, valuesPerElement: 2) }
        }
    }

    // MARK: Scalars

    mutating func writeNull() { writer.null() }
    mutating func write(_ value: Bool) { writer.boolean(value) }
    mutating func write(_ value: String) { writer.string(value) }
    mutating func write(_ value: Int) { writer.integer(value) }
    mutating func write(_ value: some FixedWidthInteger) { writer.integer(value) }

    mutating func write(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws(JSONError) {
        writer.separate()
        guard value.isFinite else { throw fail("the number \(value) cannot be written as JSON") }
        writer.number(value)
    }

    // MARK: Sorting

    /// True if the text from `start` on is an array.
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

// MARK: Errors

extension EncodingState {
    /// The coding path to where the writer is now.
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
        fail(JSONError(reason, at: path().pointer))
    }

    /// Notes an error that a type threw.
    mutating func fail(_ error: any Error) -> JSONError {
        switch error {
        case let error as JSONError: fail(error)
        case EncodingError.invalidValue(_, let context): fail(context.debugDescription)
        default: fail(String(describing: error))
        }
    }

    private var tooDeep: JSONError {
        JSONError("more than \(JSONDocument.maximumDepth) levels of nesting", at: path().pointer)
    }

    private var outOfTurn: JSONError {
        let reason = "a value was written out of turn: one container must be finished before the next one beside it"
        return JSONError(reason, at: path().pointer)
    }
}

/// A container that an encoding has begun and not closed.
private struct OpenContainer {
    let slot: Int
    let isObject: Bool
    /// True if the members have no order of their own.
    let isDictionary: Bool
    /// The container's beginning in the writer's bytes.
    let start: Int
    var count = 0
}

/// The stack of open containers, the outermost first.
///
/// The outermost stands in place: most screens are one object of scalars.
private struct OpenContainers {
    private var outermost: OpenContainer?
    private var inner: [OpenContainer] = []

    var count: Int { outermost == nil ? 0 : inner.count + 1 }

    mutating func append(_ container: OpenContainer) {
        guard outermost != nil else { return outermost = container }
        // Room for several: what nests once mostly nests again.
        if inner.isEmpty { inner.reserveCapacity(4) }
        inner.append(container)
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
