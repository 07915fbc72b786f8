/// The first row of a session: enough to list it, to append to it, and to say how it ended.
package struct SessionHeader: Equatable, Sendable {
    /// The end of a session.
    package struct End: Equatable, Sendable {
        /// In a word, such as `expired`.
        package let reason: String
        /// Its time: milliseconds since 1970.
        package let time: Int64
        /// More for clients, such as the session's result: of a bounded size, and empty for nothing.
        package let details: [UInt8]

        /// Makes an ending.
        ///
        /// - Parameters:
        ///   - reason: In a word.
        ///   - time: When: milliseconds since 1970.
        ///   - details: More for clients.
        package init(reason: String, time: Int64, details: [UInt8] = []) {
            self.reason = reason
            self.time = time
            self.details = details
        }
    }

    /// The part that no input changes, as one object, for a header is copied with each.
    fileprivate final class Particulars: Sendable {
        let app: String
        let created: Int64
        let salt: UInt64
        let access: SessionAccess?
        let ending: End?
        let history: HistoryBounds
        let reservation: Reservation?

        init(
            app: String, created: Int64, salt: UInt64, access: SessionAccess?, ending: End?, history: HistoryBounds,
            reservation: Reservation? = nil
        ) {
            self.app = app
            self.created = created
            self.salt = salt
            self.access = access
            self.ending = ending
            self.history = history
            self.reservation = reservation
        }

        func with(
            _ access: SessionAccess?, _ ending: End?, _ history: HistoryBounds, _ reservation: Reservation?
        ) -> Particulars {
            Particulars(
                app: app, created: created, salt: salt, access: access, ending: ending, history: history,
                reservation: reservation)
        }
    }

    /// The ids that clients have seen in a resumption which is not written: no build gives them to anything else.
    package struct Reservation: Equatable, Sendable {
        /// The build that resumes the session.
        package let build: UInt64
        /// The ids that were free before the resumption, with which this build resumes the session again.
        package let before: Entry.FreeIdentifiers
        /// The ids that are free after the resumption.
        package let after: Entry.FreeIdentifiers
        /// A digest of the state that clients have seen.
        package let digest: UInt64

        /// Creates a reservation.
        ///
        /// - Parameters:
        ///   - entry: The entry of the resumption, which is not written.
        ///   - build: The build that resumes the session.
        package init(of entry: Entry, by build: UInt64) {
            self.build = build
            (before, after, digest) = (entry.before, entry.after, entry.digest)
        }

        fileprivate init(from reader: inout ByteReader) throws(EntryError) {
            build = try reader.littleEndian(count: 8)
            before = Entry.FreeIdentifiers(screen: try reader.integer(), coordinator: try reader.integer())
            after = Entry.FreeIdentifiers(screen: try reader.integer(), coordinator: try reader.integer())
            digest = try reader.littleEndian(count: 8)
        }

        fileprivate func write(into writer: inout ByteWriter) {
            writer.littleEndian(build, count: 8)
            for identifiers in [before, after] {
                writer.integer(identifiers.screen)
                writer.integer(identifiers.coordinator)
            }
            writer.littleEndian(digest, count: 8)
        }
    }

    /// The bounds of a session's history.
    package struct HistoryBounds: Equatable, Sendable {
        /// The revision of the oldest entry: 1, unless the root coordinator has started over.
        package var start: Int
        /// The number of inputs that the server allowed when the newest one within the limit came; nil if it was not
        /// recorded, as by builds whose limit was no option.
        package var inputLimit: Int?

        /// Creates the bounds of a history.
        package init(start: Int = 1, inputLimit: Int? = nil) {
            (self.start, self.inputLimit) = (start, inputLimit)
        }
    }

    private var particulars: Particulars
    /// The revision of its newest entry.
    package var revision: Int
    /// The time of that entry: milliseconds since 1970.
    package var time: Int64
    /// Bytes of all its entries as they were appended.
    package var bytes: Int
    /// The number of answers that were stored under idempotency keys; only the newest are still there.
    package var answers: Int
    /// The most coordinators and view models at once that had ended and stayed in memory, as far as its inputs have shown.
    package var leaked = 0
    /// The time at which it has something to do without being asked, for a timer or an effect that is under way:
    /// milliseconds since 1970.
    package var wakeAt: Int64?

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
    ///   - access: The tokens that open it.
    ///   - ending: How it ended.
    ///   - history: The bounds of its history.
    package init(
        app: String, created: Int64, revision: Int, time: Int64, bytes: Int, answers: Int = 0,
        salt: UInt64 = 0, wakeAt: Int64? = nil, access: SessionAccess? = nil, ending: End? = nil,
        history: HistoryBounds = HistoryBounds()
    ) {
        particulars = Particulars(
            app: app, created: created, salt: salt, access: access, ending: ending, history: history)
        self.revision = revision
        self.time = time
        self.bytes = bytes
        self.answers = answers
        self.wakeAt = wakeAt
    }

    /// The name of its app.
    package var app: String { particulars.app }
    /// The time at which it was opened: milliseconds since 1970.
    package var created: Int64 { particulars.created }
    /// Random bits of its own, from which the ids are made that its effects tell others.
    package var salt: UInt64 { particulars.salt }

    /// The tokens that open it; nil for one that a build without tokens has opened, and which its id alone opens.
    package var access: SessionAccess? {
        get { particulars.access }
        set { particulars = particulars.with(newValue, ending, history, reservation) }
    }

    /// Its end; its entries are gone then.
    package var ending: End? {
        get { particulars.ending }
        set { particulars = particulars.with(access, newValue, history, reservation) }
    }

    /// The bounds of its history.
    package var history: HistoryBounds {
        get { particulars.history }
        set { particulars = particulars.with(access, ending, newValue, reservation) }
    }

    /// The ids of a resumption that is not written; nil if there was none.
    ///
    /// They stay once the session goes on, because all later ids are beyond them.
    package var reservation: Reservation? {
        get { particulars.reservation }
        set { particulars = particulars.with(access, ending, history, newValue) }
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

    /// True of the header to which an entry leads that has no secrets and changes nothing else.
    ///
    /// - Parameters:
    ///   - header: The later one.
    ///   - entry: The bytes of the entry.
    package func isFollowed(by header: SessionHeader, with entry: [UInt8]) -> Bool {
        let outline = EntryOutline(entry)
        return ending == nil && !outline.holdsSecrets && outline.revision == header.revision
            && header == followed(byEntryAt: outline.time, size: entry.count)
    }

    /// The header before an entry that has changed nothing else: `followed(byEntryAt:size:)` taken back.
    ///
    /// - Parameters:
    ///   - size: The bytes that the entry takes.
    ///   - time: The time of the one before it: milliseconds since 1970.
    package func before(entryOf size: Int, afterOneAt time: Int64) -> SessionHeader {
        var header = self
        header.revision &-= 1
        header.time = time
        header.bytes &-= size
        return header
    }
}

extension SessionHeader.Particulars: Equatable {
    static func == (left: SessionHeader.Particulars, right: SessionHeader.Particulars) -> Bool {
        left === right
            || (left.app, left.created, left.salt) == (right.app, right.created, right.salt)
                && left.access == right.access && left.ending == right.ending && left.history == right.history
                && left.reservation == right.reservation
    }
}

extension SessionHeader {
    /// The bit that says that a time to wake follows.
    private static let wakes: UInt8 = 1
    /// The bit that says that an access follows.
    private static let hasAccess: UInt8 = 2
    /// The bit that says that a number of leaks follows.
    private static let hasLeaked: UInt8 = 4
    /// The bit that says that the revision of the oldest entry follows.
    private static let startedOver: UInt8 = 8
    /// The bit that says that a limit of inputs follows.
    private static let hasLimit: UInt8 = 16
    /// The bit that says that reserved ids follow.
    private static let hasReservation: UInt8 = 32

    /// The header as a row's bytes.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - hasColumns: True in a journal that keeps the access and the leaks apart.
    package func bytes(of key: JournalKey, apartFromColumns hasColumns: Bool = false) -> [UInt8] {
        let (access, leaked) = hasColumns ? (nil, 0) : (access, leaked)
        var writer = ByteWriter(reservingCapacity: app.utf8.count + (access == nil ? 40 : 80))
        writer.text(app)
        writer.time(created)
        writer.integer(revision)
        writer.time(time)
        writer.integer(bytes)
        writer.integer(answers)
        writer.littleEndian(salt, count: 8)
        writer.byte(
            (wakeAt == nil ? 0 : Self.wakes) | (access == nil ? 0 : Self.hasAccess) | (leaked == 0 ? 0 : Self.hasLeaked)
                | (history.start == 1 ? 0 : Self.startedOver) | (history.inputLimit == nil ? 0 : Self.hasLimit)
                | (reservation == nil ? 0 : Self.hasReservation))
        if let wakeAt { writer.time(wakeAt) }
        access?.write(into: &writer)
        if leaked != 0 { writer.integer(leaked) }
        if history.start != 1 { writer.integer(history.start) }
        if let limit = history.inputLimit { writer.integer(limit) }
        reservation?.write(into: &writer)
        if let ending {
            writer.text(ending.reason)
            writer.time(ending.time)
            if !ending.details.isEmpty { writer.bytes(ending.details) }
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
        let parts = try reader.byte()
        guard parts < 2 * Self.hasReservation else { throw .malformed }
        if parts & Self.wakes != 0 { wakeAt = try reader.time() }
        if parts & Self.hasAccess != 0 { access = try SessionAccess(from: &reader) }
        if parts & Self.hasLeaked != 0 { leaked = try reader.integer() }
        if parts & (Self.startedOver | Self.hasLimit) != 0 {
            var history = HistoryBounds()
            if parts & Self.startedOver != 0 { history.start = try reader.integer() }
            if parts & Self.hasLimit != 0 { history.inputLimit = try reader.integer() }
            guard 1...max(1, revision) ~= history.start else { throw .malformed }
            self.history = history
        }
        if parts & Self.hasReservation != 0 { reservation = try Reservation(from: &reader) }
        if !reader.isAtEnd {
            ending = End(
                reason: try reader.text(), time: try reader.time(), details: reader.isAtEnd ? [] : try reader.bytes())
        }
        guard reader.isAtEnd else { throw .malformed }
    }
}

extension SessionHeader {
    /// The number of entries that the session has: none once it has ended.
    package var entryCount: Int { ending == nil ? revision &- history.start &+ 1 : 0 }
}
