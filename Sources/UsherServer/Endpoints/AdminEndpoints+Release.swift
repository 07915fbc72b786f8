import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `GET /admin/nodes`: the servers and builds on the journal; `POST /admin/release`: confirms a release.
extension AdminEndpoints {
    func nodes(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let nodes = try await ask { () throws(SessionError) in try await registry.nodes() }
        let builds = try await ask { () throws(SessionError) in try await registry.builds() }
        let refusals = try await ask { () throws(SessionError) in try await registry.refusals() }
        return .json { writer in
            writer.objects("nodes", of: nodes) { writer, node in
                writer.member("name", node.name)
                writer.member("build", node.build)
                writer.member("since", WallTime.text(node.since))
                writer.member("until", WallTime.text(node.until))
            }
            writer.objects("builds", of: builds) { writer, build in
                writer.member("build", String(build.number, radix: 16))
                writer.member("serving", build.isServing)
                writer.member("seen", WallTime.text(build.seen))
                if let confirmed = build.confirmed { writer.member("confirmed", WallTime.text(confirmed)) }
                writer.objects("refused", of: refusals.filter { $0.writer == build.number }) { writer, refusal in
                    writer.member("by", String(refusal.build, radix: 16))
                    writer.member("sessions", refusal.sessions)
                }
            }
        }
    }

    func confirmRelease(_ request: Request, _ parameters: PathParameters) async throws(Problem) -> Response {
        let others = try await ask { () throws(SessionError) in try await registry.confirmRelease() }
        guard let other = others.first else {
            log.write(.info, "release confirmed", [:])
            return Response(status: .noContent)
        }
        throw Problem(
            .otherBuildServes,
            """
            a server of the build \(String(other.number, radix: 16)) also serves the journal; stop it first (GET \
            /admin/nodes lists the servers)
            """)
    }
}
