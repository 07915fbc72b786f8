extension JSONWriter {
    /// Encodes a value, with dictionaries and sets sorted, so that equal values have equal bytes.
    ///
    /// - Throws: A `JSONError` with the place in the value: a number is not finite, the nesting is too deep, or the
    ///   type threw an error. The writer is then unchanged.
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

/// The state of one call of `JSONWriter.encode`, which its encoders share.
///
/// `state` is accessed without exclusivity checks: no `encode(to:)` of a type runs during an access.
final class EncodingRun {
    @safe @exclusivity(unchecked) var state: EncodingState

    init(_ writer: consuming JSONWriter) { state = EncodingState(writer) }

    func encode<Value: Encodable>(_ value: Value, as slot: Int) throws {
        let (depth, start) = try state.beginValue()
        do {
            try value.encode(to: ValueEncoder(run: self, depth: depth, slot: slot))
        } catch {
            // Also record the error: the enclosing type may ignore it, and the text would be incomplete.
            throw state.fail(error)
        }
        if state.isEmpty(slot) { throw state.fail("\(Value.self) encodes nothing") }
        try state.endValue(at: depth)
        if state.isArray(at: start), let type = Value.self as? any UnorderedCollection.Type {
            try state.sort(from: start, valuesPerElement: type.valuesPerElement)
        }
    }
}

/// The state of an encoding: the writer, the open containers, and the slot to fill next.
///
/// A slot is the place of one value. Only the encoder that has the slot's number may write the value, once, and only
/// while the slot is the next to fill. Encoding containers do not report their end. A container is therefore closed
/// when an outer container is written to again, or when the value that opened the container has been encoded. After the
/// first error, nothing more is written.
struct EncodingState {
    private var writer: JSONWriter
    private var open = OpenContainers()
    /// The index of this encoding's first byte in the writer.
    private let start: Int
    /// The number of the slot to fill next; 0 if there is none.
    private var empty = 0
    private var lastSlot = 0
    private var nesting = 0
    private var failure: JSONError?

    init(_ writer: consuming JSONWriter) {
        start = writer.bytes.count
        self.writer = writer
    }

    /// Moves the bytes to the caller's writer.
    mutating func swapBytes(_ bytes: inout [UInt8]) { swap(&bytes, &writer.bytes) }

    // MARK: Values

    /// Starts a value that encodes itself; returns the number of containers around it and the start of its text.
    mutating func beginValue() throws(JSONError) -> (depth: Int, start: Int) {
        if let failure { throw failure }
        guard nesting < 4 * JSONDocument.maximumDepth else { throw fail(tooDeep) }
        nesting += 1
        writer.separate()
        return (open.count, writer.bytes.count)
    }

    /// Ends the value and closes the containers that it opened.
    mutating func endValue(at depth: Int) throws(JSONError) {
        nesting -= 1
        closeContainers(to: depth)
        if let failure { throw failure }
    }

    mutating func reserveSlot() -> Int {
        lastSlot += 1
        empty = lastSlot
        return lastSlot
    }

    /// Returns `true` until the slot's value is written.
    func isEmpty(_ slot: Int) -> Bool { empty == slot && failure == nil }

    /// Starts the value of a slot, or throws if the slot is not the next.
    mutating func fill(_ slot: Int) throws(JSONError) {
        if let failure { throw failure }
        guard empty == slot else { throw fail(outOfTurn) }
        empty = 0
    }

    // MARK: Containers

    /// Starts the container of a slot, or continues with the container that the slot already has.
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

    /// Starts the next element of a slot's array and closes everything inside the array.
    mutating func beginElement(of slot: Int, depth: Int) throws(JSONError) {
        if let failure { throw failure }
        guard isOpen(slot, depth) else { throw fail(outOfTurn) }
        if empty != 0 || open.count > depth + 1 { closeContainers(to: depth + 1) }
        open.countChild(at: depth)
        if let failure { throw failure }
    }

    mutating func beginMember(_ name: String, of slot: Int, depth: Int) throws(JSONError) {
        try beginElement(of: slot, depth: depth)
        writer.key(name)
    }

    func count(of slot: Int, depth: Int) -> Int { isOpen(slot, depth) ? open[depth]?.count ?? 0 : 0 }

    @inline(__always)
    private func isOpen(_ slot: Int, _ depth: Int) -> Bool { open[depth]?.slot == slot }

    /// Closes containers down to a depth; a slot that was not filled becomes an empty object.
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

    func isArray(at start: Int) -> Bool {
        start < writer.bytes.count && writer.bytes[start] == ASCII.openBracket
    }

    /// Sorts the value that starts at `start` and ends at the end of the text.
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
    /// Returns the coding path of the writer's current position.
    func path(depth: Int? = nil) -> [PathKey] {
        let path = PartialPath(of: writer.bytes[start...]).keys
        return Array(path.prefix(depth ?? path.count))
    }

    /// Notes an error and returns the first one.
    mutating func fail(_ error: JSONError) -> JSONError {
        let first = failure ?? error
        failure = first
        return first
    }

    mutating func fail(_ reason: String) -> JSONError {
        fail(JSONError(reason, at: path().pointer))
    }

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
        let reason = "a value was written out of turn: finish a container before you begin another container beside it"
        return JSONError(reason, at: path().pointer)
    }
}

private struct OpenContainer {
    let slot: Int
    let isObject: Bool
    /// A Boolean value that indicates whether the order of the members is undefined.
    let isDictionary: Bool
    /// The index of the container's first byte in the writer.
    let start: Int
    var count = 0
}

/// The stack of open containers, the outermost first.
///
/// The outermost container is stored inline, because most screens are one object without nested containers.
private struct OpenContainers {
    private var outermost: OpenContainer?
    private var inner: [OpenContainer] = []

    var count: Int { outermost == nil ? 0 : inner.count + 1 }

    mutating func append(_ container: OpenContainer) {
        guard outermost != nil else { return outermost = container }
        // A container with one nested container usually has more.
        if inner.isEmpty { inner.reserveCapacity(4) }
        inner.append(container)
    }

    mutating func popLast() -> OpenContainer? {
        if let last = inner.popLast() { return last }
        defer { outermost = nil }
        return outermost
    }

    /// The container at a depth; nil if no container is open there.
    subscript(depth: Int) -> OpenContainer? {
        if depth == 0 { return outermost }
        return depth <= inner.count ? inner[depth - 1] : nil
    }

    mutating func countChild(at depth: Int) {
        if depth == 0 { outermost?.count += 1 } else { inner[depth - 1].count += 1 }
    }
}
