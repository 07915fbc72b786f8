import Glibc
import LocalhostClient
import ServerCluster
import Testing

/// A client of one server or of HAProxy, which sends each request only once.
struct PinnedClient {
    let port: Int
    /// The seconds that the client waits for a response.
    var timeout = 20

    init(_ server: ClusterServer) { port = server.port }

    init(port: Int) { self.port = port }

    /// Opens a session.
    func open() throws -> LoadSession {
        let answer = try client.request("POST", "/sessions", body: #"{"app":"ledger"}"#)
        return LoadSession(id: try #require(LoadClient.id(of: answer), "\(answer.status) \(answer.text)"))
    }

    /// Adds a number without a key, so a repetition adds it again.
    func add(_ number: Int, to session: LoadSession) -> Observation {
        send(LedgerEvent(.add, number), to: session)
    }

    /// Adds a number, and starts an effect that adds another; the response does not wait for the effect.
    func deliver(_ number: Int, to session: LoadSession) -> [Observation] {
        begin(LedgerEvent(.deliver, number), on: session)
    }

    /// Adds a number, and starts a timer that adds another.
    func wait(_ number: Int, on session: LoadSession) -> [Observation] {
        begin(LedgerEvent(.wait, number), on: session)
    }

    private func begin(_ event: LedgerEvent, on session: LoadSession) -> [Observation] {
        let sent = send(event, to: session)
        guard sent.answer != .none, let following = event.following else { return [sent] }
        return [sent, observation(.following(following), of: session, from: sent.begin, nil)]
    }

    /// Reads the state.
    func look(at session: LoadSession) -> Observation {
        let begin = LoadClient.now
        return observation(.look, of: session, from: begin, try? client.request("GET", session.path))
    }

    private var client: LocalhostClient { LocalhostClient(port: port, timeout: timeout) }

    private func send(_ event: LedgerEvent, to session: LoadSession) -> Observation {
        let begin = LoadClient.now
        let answer = try? client.request(
            "POST", "\(session.path)/events", headers: [("Prefer", "respond-async")], body: event.body)
        return observation(.event(event.number), of: session, from: begin, answer)
    }

    private func observation(
        _ request: Observation.Request, of session: LoadSession, from begin: Int64, _ response: RawResponse?
    ) -> Observation {
        let answer = response.flatMap { LoadClient.answer(to: request, $0) } ?? .none
        return Observation(
            session: session.id, request: request, begin: begin, end: LoadClient.now, answer: answer)
    }
}
