import UsherJSON

/// The writing of a document: containers as closures, so that none is left open.
extension JSONWriter {
    /// Appends an object.
    ///
    /// - Parameter write: Appends its members.
    /// - Throws: As `write`.
    mutating func object<Failure: Error>(_ write: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        beginObject()
        try write(&self)
        endObject()
    }

    /// Appends a member that is an object.
    mutating func object(_ name: String, _ write: (inout JSONWriter) -> Void) {
        key(name)
        object(write)
    }

    /// Appends a member that is an array.
    mutating func array(_ name: String, _ write: (inout JSONWriter) -> Void) {
        key(name)
        beginArray()
        write(&self)
        endArray()
    }

    /// Appends a schema that is another's name.
    mutating func reference(_ target: String) {
        object { $0.member("$ref", target) }
    }
}
