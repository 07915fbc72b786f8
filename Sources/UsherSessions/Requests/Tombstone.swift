package import Usher
import UsherJSON
import UsherJournal

/// The record of how a session ended, which stays in the journal for some time.
package struct Tombstone: Sendable {
    package enum Reason: String, Sendable {
        case finished
        case cancelled
        case deleted
        /// The session was not used for too long.
        case expired
    }

    package let ending: SessionEnding
    package let time: Timestamp
    /// The name of the app, which a client needs to open another session.
    package let app: String
    /// The tokens that permitted the use of the session.
    let access: SessionAccess?

    package var reason: Reason { ending.reason }
}

extension Tombstone {
    /// Creates the record from a session's header; `nil` if the session has not ended.
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

/// How a session ended, and the data with which its client can continue; the size is limited.
package struct SessionEnding: Sendable {
    package let reason: Tombstone.Reason
    /// The result of a finished root coordinator as JSON; `nil` if there is none or it exceeds the limit.
    package let result: [UInt8]?
    /// The options that the session was opened with, as JSON; `nil` if there were no options, or if they must not be
    /// shown.
    package let options: [UInt8]?

    /// The largest size of a stored result, in bytes; a larger result is only in the answer to the last input.
    private static let resultLimit = 16 << 10

    /// Creates an end that a client or the server causes, with the options that the session was opened with.
    init(_ reason: Tombstone.Reason, options: [UInt8]?) {
        self.reason = reason
        result = nil
        self.options = Self.compact(options)
    }

    /// Creates the end that a tree has reached by itself; `nil` if the tree has not ended.
    init?(_ tree: Tree) {
        guard let ending = tree.ending else { return nil }
        reason = Tombstone.Reason(ending.reason)
        result = ending.result.flatMap { $0.count <= Self.resultLimit ? $0 : nil }
        options = Self.compact(tree.options)
    }

    fileprivate init(_ end: SessionHeader.End) {
        reason = Tombstone.Reason(rawValue: end.reason) ?? .deleted
        let details = try? JSONDocument(parsing: end.details).root
        result = details?[member: "result"].map { Array($0.bytes) }
        options = details?[member: "options"].map { Array($0.bytes) }
    }

    /// Returns the options as one line, because a server-sent event may contain them; `nil` if there are no options.
    private static func compact(_ options: [UInt8]?) -> [UInt8]? {
        guard let options, let json = try? JSONDocument(parsing: options).root,
            json.members.contains(where: { _ in true })
        else { return nil }
        var writer = JSONWriter()
        writer.value(json)
        return writer.bytes
    }

    fileprivate var details: [UInt8] {
        guard result != nil || options != nil else { return [] }
        return JSONWriter.object { writer in
            if let result { writer.member("result", raw: result) }
            if let options { writer.member("options", raw: options) }
        }
    }
}

extension SessionHeader {
    func ended(_ ending: SessionEnding, at time: Timestamp) -> SessionHeader {
        var head = self
        head.ending = End(reason: ending.reason.rawValue, time: time.milliseconds, details: ending.details)
        return head
    }
}
