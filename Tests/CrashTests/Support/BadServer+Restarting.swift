import LocalhostClient
import Programs
import UsherJSON

/// A response, and the number of the server's crashes before it.
struct RestartedAnswer {
    let response: RawResponse
    let crashes: Int

    var status: Int { response.status }

    /// The specific part of a problem's `type`.
    var problem: String? {
        (try? JSONDocument(parsing: response.body).root[member: "type"]?.string)?.split(separator: ":").last.map(
            String.init)
    }
}

extension BadServer {
    /// Repeats a request until there is a response, and restarts the server after each crash.
    func insist(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: String? = nil
    ) throws -> RestartedAnswer {
        var crashes = 0
        while true {
            do {
                let client = LocalhostClient(port: port)
                let response = try client.request(method, path, headers: headers, body: body)
                return RestartedAnswer(response: response, crashes: crashes)
            } catch {
                crashes += 1
                guard crashes < 10 else { throw error }
                _ = try finish()
                try start()
            }
        }
    }

    /// Sends an event of a session in the same way.
    func insist(on id: String, _ event: String, key: String? = nil) throws -> RestartedAnswer {
        try insist(
            "POST", "/sessions/\(id)/events", headers: key.map { [("Idempotency-Key", $0)] } ?? [],
            body: #"{"event":\#(event)}"#)
    }

    /// Waits until no work is pending in a session.
    ///
    /// - Returns: The number of warnings in its state, and of the server's crashes in the meantime.
    func settle(_ id: String) throws -> (warnings: Int, crashes: Int) {
        var crashes = 0
        while true {
            let answer = try insist("GET", "/sessions/\(id)")
            crashes += answer.crashes
            let state = try JSONDocument(parsing: answer.response.body).root
            guard state[member: "pending"].map({ Array($0.elements).isEmpty }) ?? true else { continue }
            return (state[member: "warnings"].map { Array($0.elements).count } ?? 0, crashes)
        }
    }

    /// Returns the number that a session has counted.
    func count(of id: String) throws -> Int? {
        let answer = try insist("GET", "/sessions/\(id)")
        let state = try JSONDocument(parsing: answer.response.body).root[member: "stack"]
        return state.flatMap { Array($0.elements).first }?[member: "state"]?[member: "count"]?.integer
    }

    /// Returns the incidents, the newest first.
    func incidents() throws -> [JSONValue] {
        let answer = try LocalhostClient(port: port).request("GET", "/admin/incidents")
        return try JSONDocument(parsing: answer.body).root[member: "incidents"].map { Array($0.elements) } ?? []
    }
}
