import LocalhostClient
import Programs
import UsherJSON

/// An answer, and how often the server died before it.
struct RestartedAnswer {
    let response: RawResponse
    let crashes: Int

    var status: Int { response.status }

    /// The `type` of a problem, without what all have in common.
    var problem: String? {
        (try? JSONDocument(parsing: response.body).root[member: "type"]?.string)?.split(separator: ":").last.map(
            String.init)
    }
}

extension BadServer {
    /// Asks for something as a client that never gives up; where the server dies, it is started again.
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

    /// Sends an event of a session as such a client.
    func insist(on id: String, _ event: String, key: String? = nil) throws -> RestartedAnswer {
        try insist(
            "POST", "/sessions/\(id)/events", headers: key.map { [("Idempotency-Key", $0)] } ?? [],
            body: #"{"event":\#(event)}"#)
    }

    /// Waits until nothing is pending in a session.
    ///
    /// - Returns: How many warnings its state has then, and how often the server died before.
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

    /// The number that a session has counted.
    func count(of id: String) throws -> Int? {
        let answer = try insist("GET", "/sessions/\(id)")
        let state = try JSONDocument(parsing: answer.response.body).root[member: "stack"]
        return state.flatMap { Array($0.elements).first }?[member: "state"]?[member: "count"]?.integer
    }

    /// The incidents, the newest first.
    func incidents() throws -> [JSONValue] {
        let answer = try LocalhostClient(port: port).request("GET", "/admin/incidents")
        return try JSONDocument(parsing: answer.body).root[member: "incidents"].map { Array($0.elements) } ?? []
    }
}
