/// The fields of a header section, in order, in one buffer of bytes.
///
/// Only legal fields get in (RFC 9110 §5.1, §5.5), so that none can begin another line of the message. Names are
/// compared without regard to ASCII case.
package struct HeaderFields: Sendable {
    /// The fields, one behind the other: the lengths of name and value, two bytes each, then both with a zero behind, so
    /// that a C library can read them where they are.
    package internal(set) var bytes: [UInt8] = []

    /// The number of fields, counting a repeated name as often as it is there.
    package internal(set) var count = 0

    var places = FieldPlaces()

    /// No fields.
    package init() {}

    /// No fields, with room for some.
    ///
    /// - Parameters:
    ///   - count: The number of fields to come.
    ///   - size: The bytes of their names and values.
    package init(reservingFields count: Int, bytes size: Int) {
        bytes.reserveCapacity(size + count * Self.overhead)
    }

    /// Whether there is no field.
    package var isEmpty: Bool { count == 0 }

    /// Adds a field at the end; leaves all as it is and returns false if the name or the value is not legal.
    @discardableResult
    package mutating func append(name: String, value: String) -> Bool {
        append(name.utf8.span, value.utf8.span)
    }

    /// Adds a field at the end; leaves all as it is and returns false if the name or the value is not legal.
    @discardableResult
    package mutating func append(_ name: FieldName, _ value: Span<UInt8>) -> Bool {
        name.append(value, to: &self)
    }

    /// Adds all of another's fields at the end.
    package mutating func append(contentsOf other: HeaderFields) {
        bytes += other.bytes
        count += other.count
        places.insert(other.places)
    }
}

extension HeaderFields {
    /// What a field takes beside its name and its value.
    static let overhead = 6

    /// Adds a field, unless it is not legal, or longer than any that can be sent.
    @discardableResult
    mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        guard FieldGrammar.isToken(name), FieldGrammar.isValue(value) else { return false }
        return add(name, value, at: FieldName.place(of: name))
    }

    /// Adds a field that is legal, unless it is longer than any that can be sent.
    mutating func add(_ name: Span<UInt8>, _ value: Span<UInt8>, at place: UInt64) -> Bool {
        guard name.count <= UInt16.max, value.count <= UInt16.max else { return false }
        bytes.append(addingCapacity: name.count + value.count + Self.overhead) { output in
            output.append(length: name.count)
            output.append(length: value.count)
            for index in name.indices { output.append(name[index]) }
            output.append(0)
            for index in value.indices { output.append(value[index]) }
            output.append(0)
        }
        places.insert(place)
        count += 1
        return true
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(length: Int) {
        append(UInt8(truncatingIfNeeded: length))
        append(UInt8(truncatingIfNeeded: length >> 8))
    }
}
