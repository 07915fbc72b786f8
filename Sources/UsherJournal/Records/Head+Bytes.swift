extension SessionHeader {
    /// The head as a row's bytes.
    ///
    /// - Parameter key: The session.
    package func bytes(of key: JournalKey) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: app.utf8.count + 40)
        writer.text(app)
        writer.time(created)
        writer.integer(revision)
        writer.time(time)
        writer.integer(bytes)
        writer.integer(answers)
        writer.littleEndian(salt, count: 8)
        writer.byte(wakeAt == nil ? 0 : 1)
        if let wakeAt { writer.time(wakeAt) }
        if let ending {
            writer.text(ending.reason)
            writer.time(ending.time)
        }
        return writer.sealed(for: key)
    }

    /// Reads a head.
    ///
    /// - Parameters:
    ///   - bytes: What `bytes(of:)` once was.
    ///   - key: The session that it must belong to.
    /// - Throws: `EntryError`.
    package init(_ bytes: [UInt8], of key: JournalKey) throws(EntryError) {
        var reader = try ByteReader(bytes, of: key)
        self.init(
            app: try reader.text(), created: try reader.time(), revision: try reader.integer(),
            time: try reader.time(), bytes: try reader.integer(), answers: try reader.integer(),
            salt: try reader.littleEndian(count: 8))
        if try reader.byte() == 1 { wakeAt = try reader.time() }
        if !reader.isAtEnd { ending = End(reason: try reader.text(), time: try reader.time()) }
        guard reader.isAtEnd else { throw .malformed }
    }
}
