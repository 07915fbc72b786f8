import Usher
import UsherBytes
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `/admin/sessions/{id}`: a session's inputs, its state after each input, and forks and rollbacks.
extension AdminEndpoints {
    private func entries(of id: SessionID) async throws(Problem) -> [Entry] {
        try await ask(id) { id throws(SessionError) in try await registry.entries(of: id) }
    }

    func journal(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let entries = try await entries(of: id)
        let limit = try request.pageLimit()
        let start = try request.number("after", in: 0...Int.max) ?? 0
        let page = entries.drop { $0.revision <= start }.prefix(limit)
        return .json { writer in
            writer.objects("entries", of: page) { $0.members(of: $1, in: id) }
            guard let last = page.last, let newest = entries.last, last.revision < newest.revision else { return }
            writer.member("next", "/admin/sessions/\(id.text)/journal?after=\(last.revision)&limit=\(limit)")
        }
    }

    func pastState(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        try await past(parameters) { id, revision throws(SessionError) in
            try await registry.state(of: id, at: revision)
        }
    }

    func pastTree(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        try await past(parameters) { id, revision throws(SessionError) in
            try await registry.report(of: id, at: revision)
        }
    }

    func history(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let limit = try request.number("points", in: 2...2_000) ?? 500
        let place = try request.number("after", in: 0...Int.max) ?? 0
        let revision = try request.number("revision", in: 1...Int.max)
        let points = try await ask(id) { id throws(SessionError) in
            try await registry.memoryHistory(of: id, after: place, through: revision, limit: limit)
        }
        return .json { writer in writer.objects("points", of: points) { $0.members(of: $1) } }
    }

    func walk(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let limit = try request.number("points", in: 2...2_000) ?? 500
        let (app, steps) = try await ask(id) { id throws(SessionError) in
            try await registry.walk(of: id, limit: limit)
        }
        return .json { writer in
            writer.member("app", app)
            writer.objects("points", of: steps) { writer, step in
                writer.member("revision", step.revision)
                writer.member("input", step.input)
                if let shape = step.shape { writer.member(digest: shape) }
            }
        }
    }

    private func past(
        _ parameters: PathParameters, _ body: (SessionID, Int) async throws(SessionError) -> [UInt8]
    ) async throws(Problem) -> Response {
        let bytes = try await ask(try parameters.sessionID()) { id throws(SessionError) in
            guard let revision = parameters["revision"].flatMap({ Int($0) }) else {
                _ = try await registry.entries(of: id)
                throw .noRevision("a revision is a whole number; the first of a session is 1")
            }
            return try await body(id, revision)
        }
        return .json(bytes)
    }

    func fork(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let revision = try await revision(of: request, for: id)
        let fork = try await ask(id) { id throws(SessionError) in try await registry.fork(id, at: revision) }
        log.write(.info, "session forked", ["session": "\(id)", "fork": "\(fork.session.id)"])
        return .created(fork)
    }

    func rollBack(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let revision = try await revision(of: request, for: id)
        let snapshot = try await ask(id) { id throws(SessionError) in
            try await registry.rollBack(id, to: revision)
        }
        log.write(.info, "session rolled back", ["session": "\(id)", "revision": "\(revision)"])
        return .state(snapshot)
    }

    private func revision(of request: Request, for id: SessionID) async throws(Problem) -> Int {
        do throws(Problem) {
            guard !request.headers.contains(.idempotencyKey) else {
                throw Problem(
                    .malformedRequest,
                    "forks and rollbacks have no Idempotency-Key, because each request is a new one; leave out the key")
            }
            return try request.read { json throws(JSONError) in try Self.revision(json) }
        } catch {
            // The error for an unknown session takes precedence over an error in the request.
            _ = try await entries(of: id)
            throw error
        }
    }

    private static func revision(_ json: JSONValue) throws(JSONError) -> Int {
        let value = try json.onlyMember("revision", usage: #"send {"revision":N}"#)
        guard let revision = value.integer else { throw value.error("expected a revision, a whole number") }
        return revision
    }
}

extension JSONWriter {
    /// Appends a session's memory use at a revision.
    fileprivate mutating func members(of point: MemoryPoint) {
        let coordinators = point.coordinators
        member("revision", point.revision)
        member("live", coordinators.live)
        member("created", coordinators.created)
        member("finished", coordinators.finished)
        member("leaked", coordinators.leaked)
        member("bytes", point.bytes)
    }

    /// Appends an input of a session's journal, with its secrets masked.
    fileprivate mutating func members(of entry: Entry, in session: SessionID) {
        member("revision", entry.revision)
        member("time", WallTime.text(entry.time))
        member("kind", entry.kind.name)
        member("input", raw: entry.maskedPayload)
        let begun = entry.begunWork
        if !begun.isEmpty {
            objects("begun", of: begun) { writer, work in
                writer.member("id", work.id.description)
                writer.member("name", work.name)
            }
        }
        member("visible", entry.visible)
        object("nextIDs") { writer in
            writer.member("screen", entry.after.screen)
            writer.member("coordinator", entry.after.coordinator)
        }
        member(digest: entry.digest)
        member("bytes", entry.bytes(of: session.journalKey).count)
    }
}

extension JSONWriter {
    /// Appends the member `digest` as 16 digits, because numbers in JavaScript are exact only up to 53 bits.
    mutating func member(digest: UInt64) {
        member("digest", String(capacity: 16) { $0.append(hexadecimal: digest) })
    }
}
