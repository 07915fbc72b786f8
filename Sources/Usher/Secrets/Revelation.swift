package import UsherJSON

/// Whether secrets are encoded as they are, and not masked: only where no person sees it.
enum Revelation {
    @TaskLocal static var isOn = false
}

extension JSONWriter {
    /// Encodes a value with its secrets, for a reader that is a program, such as a session that is sent an event.
    ///
    /// - Parameter value: What may hold secrets.
    /// - Throws: As `encode`.
    package mutating func encodeRevealingSecrets(_ value: some Encodable) throws(JSONError) {
        var writer = self
        let result = Revelation.$isOn.withValue(true) {
            Result { () throws(JSONError) in try writer.encode(value) }
        }
        try result.get()
        self = writer
    }
}
