import UsherHTTP
import UsherJSON
import UsherJournal
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
