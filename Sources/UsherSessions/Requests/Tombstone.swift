package import Usher
import UsherJSON
import UsherJournal

/// The remains of a session that is over.
package struct Tombstone: Sendable {
    /// The reason of its end.
    package enum Reason: String, Sendable {
        /// The root coordinator finished.
        case finished
        /// The root coordinator gave up.
        case cancelled
        /// A client deleted it.
        case deleted
        /// Nobody used it for too long.
        case expired
    }

    /// The way in which it ended.
    package let ending: SessionEnding
    /// When.
    package let time: Timestamp
    /// The name of its app, to open another.
    package let app: String
    /// The tokens that opened it.
    let access: SessionAccess?

    /// The reason of its end.
    package var reason: Reason { ending.reason }
}

extension Tombstone {
    /// Reads how a session ended; nil while it has not.
    init?(_ head: SessionHeader) {
        guard let ending = head.ending else { return nil }
        self.init(
            ending: SessionEnding(ending), time: Timestamp(milliseconds: ending.time), app: head.app,
            access: head.access)
    }
}

extension Tombstone.Reason {
    init(_ reason: Ending.Reason) {
        switch reason {
        case .finished: self = .finished
        case .cancelled: self = .cancelled
        }
    }
}

/// The way in which a session ends, with what a client needs to go on from there; of a bounded size.
package struct SessionEnding: Sendable {
    /// The reason.
    package let reason: Tombstone.Reason
    /// The result of a root coordinator that finished, as JSON; nil where it has none, or one beyond the limit.
    package let result: [UInt8]?
    /// The options that the session was opened with, as JSON; nil where there were none, or they are not to be told.
    package let options: [UInt8]?

    /// Longer results are not kept, in bytes; the answer to the last input has them.
    private static let resultLimit = 16 << 10

    /// An end from outside.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - options: The options that the session was opened with.
    init(_ reason: Tombstone.Reason, options: [UInt8]?) {
        self.reason = reason
        result = nil
        self.options = Self.compact(options)
    }

    /// The end of a tree by itself; nil while it goes on.
    init?(_ tree: Tree) {
        guard let ending = tree.ending else { return nil }
        reason = Tombstone.Reason(ending.reason)
        result = ending.result.flatMap { $0.count <= Self.resultLimit ? $0 : nil }
        options = Self.compact(tree.options)
    }

    /// Reads an end from a header.
    fileprivate init(_ end: SessionHeader.End) {
        reason = Tombstone.Reason(rawValue: end.reason) ?? .deleted
        let details = try? JSONDocument(parsing: end.details).root
        result = details?[member: "result"].map { Array($0.bytes) }
        options = details?[member: "options"].map { Array($0.bytes) }
    }

    /// Options as one line, for they may be an event's data; nil where there are none.
    private static func compact(_ options: [UInt8]?) -> [UInt8]? {
        guard let options, let json = try? JSONDocument(parsing: options).root,
            json.members.contains(where: { _ in true })
        else { return nil }
        var writer = JSONWriter()
        writer.value(json)
        return writer.bytes
    }

    /// All but the reason as one object; empty where there is nothing.
    fileprivate var details: [UInt8] {
        guard result != nil || options != nil else { return [] }
        var writer = JSONWriter()
        writer.beginObject()
        for case (let name, let json?) in [("result", result), ("options", options)] {
            writer.key(name)
            writer.raw(json)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension SessionHeader {
    /// The same session, over.
    func ended(_ ending: SessionEnding, at time: Timestamp) -> SessionHeader {
        var head = self
        head.ending = End(reason: ending.reason.rawValue, time: time.milliseconds, details: ending.details)
        return head
    }
}
