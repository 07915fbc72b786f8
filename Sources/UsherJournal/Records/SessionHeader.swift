/// The first row of a session, which is enough to list the session, to append an entry, and to say how the session
/// ended.
package struct SessionHeader: Equatable, Sendable {
    package struct End: Equatable, Sendable {
        /// The reason as one word, such as `expired`.
        package let reason: String
        /// The time in milliseconds since 1970.
        package let time: Int64
        /// Details for clients, such as the session's result, of limited size; empty if there are none.
        package let details: [UInt8]

        package init(reason: String, time: Int64, details: [UInt8] = []) {
            self.reason = reason
            self.time = time
            self.details = details
        }
    }

    /// The part of a header that no input changes: one object, because each input copies the header.
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

    /// The ids of screens that clients have seen in an unwritten resumption, and that no build may use for other
    /// screens.
    package struct Reservation: Equatable, Sendable {
        /// The build that resumes the session.
        package let build: UInt64
        /// The ids that were free before the resumption; if the same build resumes again, it starts with the same ids.
        package let before: Entry.FreeIdentifiers
        /// The ids that are free after the resumption.
        package let after: Entry.FreeIdentifiers
        /// A digest of the state that clients have seen.
        package let digest: UInt64

        /// Creates a reservation from the entry of a resumption that is not written.
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

    package struct HistoryBounds: Equatable, Sendable {
        /// The revision of the oldest entry: 1, unless the root coordinator has started over.
        package var start: Int
        /// The limit of inputs that the server used when it accepted the newest input.
        ///
        /// Nil if the limit was not recorded, for example by builds without an option for the limit.
        package var inputLimit: Int?

        package init(start: Int = 1, inputLimit: Int? = nil) {
            (self.start, self.inputLimit) = (start, inputLimit)
        }
    }

    private var particulars: Particulars
    /// The revision of the newest entry.
    package var revision: Int
    package var time: Int64
    /// The size in bytes of all entries at the time when they were appended.
    package var bytes: Int
    /// The number of responses that were stored with idempotency keys; only the newest of these responses still exist.
    package var answers: Int
    /// The largest number of leaked coordinators and view models that the session has had so far.
    package var leaked = 0
    /// The time when a timer or a pending effect is due, in milliseconds since 1970; nil if nothing is pending.
    package var wakeAt: Int64?

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

    package var app: String { particulars.app }
    package var created: Int64 { particulars.created }
    /// Random bits of the session, from which the ids that the session's effects send to services are derived.
    package var salt: UInt64 { particulars.salt }

    /// The tokens that open the session; nil if a server without tokens opened the session, so that the id is enough.
    package var access: SessionAccess? {
        get { particulars.access }
        set { particulars = particulars.with(newValue, ending, history, reservation) }
    }

    /// The session's end, after which the session has no entries; nil while the session is alive.
    package var ending: End? {
        get { particulars.ending }
        set { particulars = particulars.with(access, newValue, history, reservation) }
    }

    package var history: HistoryBounds {
        get { particulars.history }
        set { particulars = particulars.with(access, ending, newValue, reservation) }
    }

    /// The ids of an unwritten resumption; nil if there was no such resumption.
    ///
    /// The ids stay recorded after the session has continued, because all later ids are greater anyway.
    package var reservation: Reservation? {
        get { particulars.reservation }
        set { particulars = particulars.with(access, ending, history, newValue) }
    }

    /// Returns the session's header after another entry that changes only the revision, the time and the size.
    ///
    /// - Parameters:
    ///   - time: The time of the entry in milliseconds since 1970.
    ///   - size: The size of the entry in bytes.
    package func followed(byEntryAt time: Int64, size: Int) -> SessionHeader {
        var header = self
        header.revision &+= 1
        header.time = time
        header.bytes &+= size
        return header
    }

    /// Returns `true` if a later header differs from this one only by an entry without secrets.
    package func isFollowed(by header: SessionHeader, with entry: [UInt8]) -> Bool {
        let outline = EntryOutline(entry)
        return ending == nil && !outline.holdsSecrets && outline.revision == header.revision
            && header == followed(byEntryAt: outline.time, size: entry.count)
    }

    /// Returns the header before an entry that has changed nothing else: the inverse of `followed(byEntryAt:size:)`.
    ///
    /// - Parameters:
    ///   - size: The size of the entry in bytes.
    ///   - time: The time of the previous entry in milliseconds since 1970.
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
    // Each bit is set if an optional part follows; `startedOver` announces the revision of the oldest entry.
    private static let wakes: UInt8 = 1
    private static let hasAccess: UInt8 = 2
    private static let hasLeaked: UInt8 = 4
    private static let startedOver: UInt8 = 8
    private static let hasLimit: UInt8 = 16
    private static let hasReservation: UInt8 = 32

    /// Returns the header as a row's bytes.
    ///
    /// - Parameter hasColumns: `true` if the journal stores the access and the leaks in separate columns.
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

    /// Parses a header, which must belong to the given session.
    ///
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
    /// The number of the session's entries; 0 once the session has ended.
    package var entryCount: Int { ending == nil ? revision &- history.start &+ 1 : 0 }
}
