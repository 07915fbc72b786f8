import UsherHTTP
import UsherJSON
import UsherProcess
import UsherSessions

/// `/admin/sessions/{id}/export` and `/admin/import`: a session as a test, a script, or JSON for an import.
extension AdminEndpoints {
    private enum ExportForm: String, CaseIterable {
        case swift, curl, json
    }

    /// The limit for an import, which contains all inputs of a session: enough for about 6,000 inputs.
    static let bodyLimits = [Path("/admin/import"): 1 << 20]

    func export(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let id = try parameters.sessionID()
        let form = try request.word("as", as: ExportForm.self) ?? .curl
        let revision = try request.number("revision", in: 1...Int.max)
        if form == .json {
            let archive = try await ask(id) { id throws(SessionError) in
                try await registry.archive(id, through: revision, by: BuildIdentity.text)
            }
            return .json(archive.json)
        }
        let exported = try await ask(id) { id throws(SessionError) in
            try await registry.exported(id, through: revision)
        }
        guard form == .swift else { return .text(CurlScript(exported, of: id).text + "\n") }
        do { return .text(try TestSource(exported, of: id).text + "\n") } catch {
            throw Problem(.noRevision, "this session cannot be exported as a test: \(error)")
        }
    }

    func importSession(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        guard !request.headers.contains(.idempotencyKey) else {
            throw Problem(
                .malformedRequest,
                "an import takes no Idempotency-Key, because each import opens another session; leave out the key")
        }
        let archive = try request.read { json throws(JSONError) in try SessionArchive(json) }
        guard archive.build == BuildIdentity.text else {
            throw Problem(
                .unacceptableInput,
                """
                this export is of the build \(archive.build), but this server has the build \(BuildIdentity.text); import it \
                into a server of its own build
                """)
        }
        do throws(SessionError) {
            let opening = try await registry.open(archive)
            log.write(.info, "session imported", ["session": "\(opening.session.id)"])
            return .created(opening)
        } catch {
            log.write(error, app: archive.app)
            throw Problem(error, apps: registry.apps)
        }
    }
}
