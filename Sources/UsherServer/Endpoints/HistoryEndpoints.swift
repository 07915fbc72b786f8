import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

extension AdminEndpoints {
    /// A page of a session's inputs.
    func entries(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let entries = try await ask(id) { id throws(SessionError) in try await registry.entries(of: id) }
        let limit = try request.pageLimit()
        let start = try request.number("after", in: 0...Int.max) ?? 0
        let page = entries.dropFirst(start).prefix(limit)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("entries")
        writer.beginArray()
        for entry in page { writer.write(entry, of: id) }
        writer.endArray()
        if let last = page.last, last.revision < entries.count {
            writer.key("next")
            writer.string("/admin/sessions/\(id.text)/journal?after=\(last.revision)&limit=\(limit)")
        }
        writer.endObject()
        return .json(writer.bytes)
    }

    /// Copies the journal.
    func backUp() async throws(Problem) -> Response {
        let backup: Backup
        do throws(SessionError) {
            backup = try await registry.backUp()
        } catch {
            if case .notRead(let cause) = error { log.write(.error, "backup failed", ["cause": cause]) }
            throw Problem(error, apps: registry.apps)
        }
        log.write(.info, "journal backed up", ["path": backup.path])
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("path")
        writer.string(backup.path)
        writer.key("bytes")
        writer.integer(backup.size)
        writer.endObject()
        return .json(writer.bytes, status: .created)
    }
}

extension AdminEndpoints {
    /// The state that a session had at a revision.
    func pastState(_ parameters: PathParameters) async throws(Problem) -> Response {
        try await past(parameters) { id, revision throws(SessionError) in try await registry.state(of: id, at: revision)
        }
    }

    /// The coordinators that a session had at a revision.
    func pastTree(_ parameters: PathParameters) async throws(Problem) -> Response {
        try await past(parameters) { id, revision throws(SessionError) in
            try await registry.report(of: id, at: revision)
        }
    }

    private func past(
        _ parameters: PathParameters, _ body: (SessionID, Int) async throws(SessionError) -> [UInt8]
    ) async throws(Problem) -> Response {
        let bytes = try await ask(try parameters.sessionID()) { id throws(SessionError) in
            guard let revision = parameters["revision"].flatMap({ Int($0) }) else {
                _ = try await registry.entries(of: id)
                throw .noRevision("a revision is a whole number, the first of a session is 1")
            }
            return try await body(id, revision)
        }
        return .json(bytes, headers: ["Cache-Control": "no-store"])
    }
}

extension AdminEndpoints {
    /// Opens a session that begins where another was at a revision.
    func fork(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let body: ForkRequest
        do throws(Problem) {
            body = try request.read { json throws(JSONError) in try ForkRequest(json) }
        } catch {
            // That there is no such session matters more than what is wrong with the request.
            _ = try await ask(id) { id throws(SessionError) in try await registry.entries(of: id) }
            throw error
        }
        let (session, snapshot) = try await ask(id) { id throws(SessionError) in
            try await registry.fork(id, at: body.revision)
        }
        log.write(.info, "session forked", ["session": "\(id)", "fork": "\(session.id)"])
        return .state(snapshot, status: .created, location: "/sessions/\(session.id.text)")
    }
}

extension JSONWriter {
    /// Appends one input of a session's journal; its secrets are masked.
    mutating func write(_ entry: Entry, of session: SessionID) {
        beginObject()
        key("revision")
        integer(entry.revision)
        key("time")
        string(WallTime.text(entry.time))
        key("kind")
        string(entry.kind.name)
        key("input")
        raw(entry.maskedPayload)
        key("visible")
        string(entry.visible)
        key("digest")
        string(Self.hexadecimal(entry.digest))
        key("bytes")
        integer(entry.bytes(of: session.journalKey).count)
        endObject()
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Entry.Kind {
    /// Its name on the wire.
    fileprivate var name: String {
        switch self {
        case .creation: "creation"
        case .input: "input"
        case .inputKeepingLink: "inputKeepingLink"
        case .inputDroppingLink: "inputDroppingLink"
        case .divergence: "divergence"
        }
    }
}

/// The body of `POST /admin/sessions/{id}/fork`.
struct ForkRequest {
    let revision: Int

    /// Reads the body.
    ///
    /// - Throws: `JSONError` for a wrong, missing or unknown member.
    init(_ json: JSONValue) throws(JSONError) {
        let value = try json.onlyMember("revision", usage: #"send {"revision":N}"#)
        guard let revision = value.integer else { throw value.error("expected a revision, a whole number") }
        self.revision = revision
    }
}
