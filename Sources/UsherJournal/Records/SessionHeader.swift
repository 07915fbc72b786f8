/// The first row of a session: enough to list it, to append to it, and to say how it ended.
package struct SessionHeader: Equatable, Sendable {
    /// The end of a session.
    package struct End: Equatable, Sendable {
        /// In a word, such as `expired`.
        package let reason: String
        /// Its time: milliseconds since 1970.
        package let time: Int64

        /// Makes an ending.
        ///
        /// - Parameters:
        ///   - reason: In a word.
        ///   - time: When: milliseconds since 1970.
        package init(reason: String, time: Int64) {
            self.reason = reason
            self.time = time
        }
    }

    /// The name of its app.
    package let app: String
    /// The time at which it was opened: milliseconds since 1970.
    package let created: Int64
    /// The revision of its newest entry.
    package var revision: Int
    /// The time of that entry: milliseconds since 1970.
    package var time: Int64
    /// Bytes of all its entries as they were appended.
    package var bytes: Int
    /// The number of answers that were stored under idempotency keys; only the newest are still there.
    package var answers: Int
    /// Random bits of its own, from which the ids are made that its effects tell others.
    package let salt: UInt64
    /// The time at which it has something to do without being asked, for a timer or an effect that is under way:
    /// milliseconds since 1970.
    package var wakeAt: Int64?
    /// Its end; its entries are gone then.
    package var ending: End?

    /// Makes a header.
    ///
    /// - Parameters:
    ///   - app: The name of its app.
    ///   - created: When it was opened: milliseconds since 1970.
    ///   - revision: The revision of its newest entry.
    ///   - time: When that came: milliseconds since 1970.
    ///   - bytes: Bytes of all its entries.
    ///   - answers: How many answers were stored.
    ///   - salt: Random bits of its own.
    ///   - wakeAt: When it has something to do without being asked.
    ///   - ending: How it ended.
    package init(
        app: String, created: Int64, revision: Int, time: Int64, bytes: Int, answers: Int = 0,
        salt: UInt64 = 0, wakeAt: Int64? = nil, ending: End? = nil
    ) {
        self.app = app
        self.created = created
        self.revision = revision
        self.time = time
        self.bytes = bytes
        self.answers = answers
        self.salt = salt
        self.wakeAt = wakeAt
        self.ending = ending
    }

    /// The header of the same session after an entry that changes nothing else: no answer goes with it, and the session
    /// has to wake up no earlier or later for it.
    ///
    /// - Parameters:
    ///   - time: When the entry came: milliseconds since 1970.
    ///   - size: How many bytes it takes.
    package func followed(byEntryAt time: Int64, size: Int) -> SessionHeader {
        var header = self
        header.revision &+= 1
        header.time = time
        header.bytes &+= size
        return header
    }
}

extension SessionHeader {
    /// The header as a row's bytes.
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

    /// Reads a header.
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
