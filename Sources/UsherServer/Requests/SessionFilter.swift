import UsherBytes
import UsherHTTP
import UsherJournal
import UsherSessions

/// The sessions that a request for the operator's list selects.
struct SessionFilter {
    let query: SessionQuery
    /// The state that the sessions must have; nil for any.
    let state: ListedState?
    /// The beginning of the visible screen's name, which selects only sessions in this server's memory; nil for any.
    let visible: String?
    /// The request's parameters, percent-encoded, without the page's start and size.
    private let parameters: [String]

    /// Creates a filter; throws `Problem` 400 if a parameter is invalid, or if two parameters exclude each other.
    init(_ request: Request) throws(Problem) {
        let names = ["app", "prefix", "subject", "visible", "state", "leaked", "sort"]
        let texts = try request.texts(of: names)
        let order = try request.word("sort", as: SessionQuery.Order.self) ?? .id
        if let app = texts["app"], app.isEmpty { throw Self.refusal("\"app\" takes the name of an app") }
        let keys = try texts["prefix"].map(Self.keys) ?? JournalKey.all
        guard texts["prefix"] == nil || order == .id else {
            throw Self.refusal("\"prefix\" finds sessions in the order of their ids; leave out \"sort\"")
        }
        if let subject = texts["subject"] {
            guard SessionAccess.isSubject(subject) else { throw Self.refusal("\"subject\" takes a user") }
            guard order == .id else {
                throw Self.refusal("\"subject\" finds sessions in the order of their ids; leave out \"sort\"")
            }
        }
        state = try request.word("state", as: ListedState.self)
        guard state != .held || order == .id else {
            throw Self.refusal("\"state\" finds held sessions in the order of their ids; leave out \"sort\"")
        }
        visible = texts["visible"]
        if let visible {
            guard !visible.isEmpty else { throw Self.refusal("\"visible\" takes the beginning of a screen's name") }
            guard order == .id, state ?? .awake == .awake else {
                throw Self.refusal(
                    "\"visible\" finds sessions in memory in the order of their ids; leave out \"sort\" and \"state\"")
            }
        }
        if let leaked = texts["leaked"], leaked != "true" {
            throw Self.refusal("\"leaked\" takes only true; leave \"leaked\" out to list all sessions")
        }
        guard state != .ended || texts["subject"] != nil && texts["leaked"] == nil else {
            throw Self.refusal(
                "\"state\" lists ended sessions of one user only; give the user as \"subject\", and leave out \"leaked\""
            )
        }
        query = SessionQuery(
            by: order, of: texts["app"], for: texts["subject"], hasLeaked: texts["leaked"] != nil,
            hasEnded: state == .ended, in: keys, after: try Self.place(try request.queryParameter("after"), in: order),
            limit: try request.pageLimit())
        parameters = names.compactMap { name in
            texts[name].map { "\(name)=\($0.percentEncoded)" }
        }
    }

    /// Returns the path and query of the next page, which starts after a place in the list.
    func path(after place: SessionQuery.Cursor) -> String {
        let id = SessionID(place.key).text
        let after = place.time.map { "\($0)-\(id)" } ?? id
        return "/admin/sessions?" + (parameters + ["after=\(after)", "limit=\(query.limit)"]).joined(separator: "&")
    }

    /// Returns the range of keys whose ids have a prefix.
    private static func keys(_ prefix: String) throws(Problem) -> ClosedRange<JournalKey> {
        let missing = 32 - prefix.utf8.count
        guard (0..<32).contains(missing),
            let first = SessionID(prefix + String(repeating: "0", count: missing)),
            let last = SessionID(prefix + String(repeating: "f", count: missing))
        else { throw refusal("\"prefix\" takes the first 1 to 32 digits of a session's id, each one of 0-9 and a-f") }
        return first.journalKey...last.journalKey
    }

    /// Parses a place that `path(after:)` has written.
    private static func place(
        _ text: String?, in order: SessionQuery.Order
    ) throws(Problem) -> SessionQuery.Cursor? {
        guard let text else { return nil }
        guard order != .id else {
            guard let id = SessionID(text) else { throw refusal("\"after\" takes a session's id") }
            return SessionQuery.Cursor(key: id.journalKey)
        }
        guard let separator = text.lastIndex(of: "-"), let time = Int64(text[..<separator]),
            let id = SessionID(String(text[text.index(after: separator)...]))
        else { throw refusal("\"after\" takes the value of \"next\" in the previous page, with the same \"sort\"") }
        return SessionQuery.Cursor(time: time, key: id.journalKey)
    }

    private static func refusal(_ sentence: String) -> Problem { Problem(.malformedRequest, sentence) }
}

/// A state by which sessions can be listed.
enum ListedState: String, CaseIterable {
    /// In this server's memory.
    case awake
    /// Not in this server's memory.
    case hibernated
    /// On hold, as far as the server knows.
    case held
    /// Ended, and not yet deleted from the journal.
    case ended

    /// A Boolean value that indicates whether the sessions are in this server's memory; nil if both are possible.
    var isAwake: Bool? {
        switch self {
        case .awake: true
        case .hibernated: false
        case .held, .ended: nil
        }
    }
}

extension Request {
    fileprivate func texts(of names: [String]) throws(Problem) -> [String: String] {
        var texts: [String: String] = [:]
        for name in names { texts[name] = try queryParameter(name) }
        return texts
    }
}
