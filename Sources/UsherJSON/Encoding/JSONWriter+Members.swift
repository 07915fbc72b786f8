// Functions that write a whole value or member. A closure writes the contents of a container, so that no container
// stays open.

extension JSONWriter {
    /// Returns the bytes of a value that a closure writes.
    package static func bytes<Failure: Error>(
        _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var writer = JSONWriter()
        try write(&writer)
        return writer.bytes
    }

    /// Returns the bytes of an object whose members a closure writes.
    package static func object<Failure: Error>(
        _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1_024)
        try writer.object(write)
        return writer.bytes
    }

    /// Returns a value that a closure writes, as a string.
    package static func text<Failure: Error>(
        _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> String {
        String(decoding: try bytes(write), as: UTF8.self)
    }

    /// Writes an object whose members a closure writes.
    package mutating func object<Failure: Error>(
        _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try write(&self)
        endObject()
    }

    /// Writes a member that is an object.
    package mutating func object<Failure: Error>(
        _ name: String, _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try object(write)
    }

    /// Writes a member that is an array; a closure writes each element.
    package mutating func array<Elements: Sequence, Failure: Error>(
        _ name: String, of elements: Elements,
        _ write: (inout JSONWriter, Elements.Element) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        beginArray()
        for element in elements { try write(&self, element) }
        endArray()
    }

    /// Writes a member that is an array of objects; a closure writes the members of each object.
    package mutating func objects<Elements: Sequence, Failure: Error>(
        _ name: String, of elements: Elements,
        _ write: (inout JSONWriter, Elements.Element) throws(Failure) -> Void
    ) throws(Failure) {
        try array(name, of: elements) { writer, element throws(Failure) in
            try writer.object { writer throws(Failure) in try write(&writer, element) }
        }
    }

    /// Writes a member that is a string.
    package mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    /// Writes a member that is a number.
    package mutating func member(_ name: String, _ number: Int) {
        key(name)
        integer(number)
    }

    /// Writes a member that is a Boolean value.
    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        boolean(value)
    }

    /// Writes a member whose value is JSON text, which must not end in white space.
    package mutating func member(_ name: String, raw json: [UInt8]) {
        key(name)
        raw(json)
    }

    /// Writes a member that is an array of strings.
    package mutating func member(_ name: String, _ texts: [String]) { array(name, of: texts) { $0.string($1) } }

    /// Writes a member that is an array of numbers.
    package mutating func member(_ name: String, _ numbers: [Int]) { array(name, of: numbers) { $0.integer($1) } }
}
