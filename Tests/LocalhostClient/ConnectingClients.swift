private import Glibc
private import Synchronization

/// Clients that open a connection for each request.
public enum ConnectingClients {
    /// Sends requests from several clients until nothing listens on the port any more.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - count: The number of responses after which the server is stopped.
    ///   - stop: Stops the server, or begins to stop it.
    /// - Returns: All results that were neither a response nor a refused connection.
    public static func failures(
        at port: Int, stoppingAfter count: Int, _ stop: () async throws -> Void
    ) async rethrows -> [String] {
        let answers = AnswerCount()
        return try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { answers.failures(at: port) } }
            while answers.number < count { await Task.yield() }
            try await stop()
            return try await group.reduce([]) { $0 + $1 }
        }
    }
}

private final class AnswerCount: Sendable {
    private let count = Atomic(0)

    var number: Int { count.load(ordering: .relaxed) }

    /// Sends requests until nothing listens on the port.
    func failures(at port: Int) -> [String] {
        var failures: [String] = []
        while true {
            do throws(ClientError) {
                let connection = try RawConnection(port: port)
                try connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                let status = try connection.readResponse().status
                if status != 200 { failures.append("\(status)") }
            } catch {
                guard error != .cannotConnect(errorNumber: ECONNREFUSED) else { return failures }
                failures.append("\(error)")
            }
            count.add(1, ordering: .relaxed)
        }
    }
}
