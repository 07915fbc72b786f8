/// What a journal knows of a session beside its entries: enough to list it, to append to it, and to say how it ended.
package struct SessionHeader: Equatable, Sendable {
    /// How a session came to its end.
    package struct End: Equatable, Sendable {
        /// In a word, such as `expired`.
        package let reason: String
        /// When: milliseconds since 1970.
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
    /// When it was opened: milliseconds since 1970.
    package let created: Int64
    /// The revision of its newest entry.
    package var revision: Int
    /// When that came: milliseconds since 1970.
    package var time: Int64
    /// Bytes of all its entries as they were appended.
    package var bytes: Int
    /// How many answers were kept under an idempotency key; only the newest are still there.
    package var answers: Int
    /// Random bits of its own, from which the ids are made that its effects tell others.
    package let salt: UInt64
    /// When it has something to do without being asked, for a timer or an effect that is under way: milliseconds since
    /// 1970.
    package var wakeAt: Int64?
    /// How it ended; its entries are gone then.
    package var ending: End?

    /// Makes a head.
    ///
    /// - Parameters:
    ///   - app: The name of its app.
    ///   - created: When it was opened: milliseconds since 1970.
    ///   - revision: The revision of its newest entry.
    ///   - time: When that came: milliseconds since 1970.
    ///   - bytes: Bytes of all its entries.
    ///   - answers: How many answers were kept.
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
}
