import Dispatch
import Foundation
import Glibc
import LocalhostClient
import Synchronization
import Testing

/// An attacker with one address, who sends requests as fast as possible.
final class Attack: Sendable {
    private let port: Int
    private let isOver = Flag()
    private let answers = Atomic(0)
    private let refusals = Atomic(0)
    private let streams = Atomic(0)
    /// The newest session, which can be watched.
    private let newest = Mutex("")
    /// The sessions with long histories.
    private let histories = Mutex<[String]>([])

    init(port: Int) {
        self.port = port
    }

    /// The number of responses so far.
    var count: Int { answers.load(ordering: .relaxed) }

    /// A summary of the attack.
    var summary: String {
        "\(count) answers, \(refusals.load(ordering: .relaxed)) refused inputs, \(streams.load(ordering: .relaxed)) streams"
    }

    /// Creates sessions with long histories.
    func prepare(histories count: Int, of length: Int) throws {
        for _ in 0..<count {
            let client = LocalhostClient(port: port, from: Self.address)
            let opened = try client.request("POST", "/sessions", body: #"{"app":"gallery"}"#)
            let path = try #require(opened["Location"])
            for number in 0..<length {
                let event = number.isMultiple(of: 2) ? "alert" : "no"
                try #require(
                    try client.request("POST", "\(path)/events", body: #"{"event":"\#(event)"}"#).status == 200)
            }
            histories.withLock { $0.append(path) }
        }
    }

    /// Attacks until a closure ends.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        let threads = DispatchGroup()
        let refusing = histories.withLock { $0 }.map { path -> @Sendable () -> Void in { self.refuse(on: path) } }
        for work in [openSessions, openSessions, watch, dribble] + refusing {
            threads.enter()
            // Use a separate thread, because it keeps its scheduling policy.
            Thread.detachNewThread {
                Self.stepBack()
                work()
                threads.leave()
            }
        }
        defer {
            isOver.raise()
            threads.wait()
        }
        return try body()
    }

    /// Gives the server and other programs priority, because real attackers have their own processors.
    private static func stepBack() {
        var parameters = sched_param()
        unsafe sched_setscheduler(0, idlePolicy, &parameters)
    }

    /// `SCHED_IDLE`, which only Linux has: unlike with a nice value, a thread that wakes up need not wait at all.
    private static let idlePolicy: Int32 = 5

    private static let address: UInt8 = 2
    private static let large = #"{"event":{"echo":{"text":"\#(String(repeating: "x", count: 60_000))"}}}"#

    /// Opens sessions, and makes each of them large.
    private func openSessions() {
        let client = LocalhostClient(port: port, from: Self.address)
        while !isOver.isRaised {
            guard let opened = try? client.request("POST", "/sessions", body: #"{"app":"gallery"}"#) else { continue }
            answers.add(1, ordering: .relaxed)
            let path = opened["Location"] ?? newest.withLock { $0 }
            newest.withLock { $0 = path }
            let status = try? client.request("POST", "\(path)/events", body: Self.large).status
            if status != nil { answers.add(1, ordering: .relaxed) }
        }
    }

    /// Opens streams without reading them, and closes all when there are many.
    private func watch() {
        var open: [RawConnection] = []
        while !isOver.isRaised {
            if open.count > 600 { open = [] }
            guard let stream = try? RawConnection(port: port, from: Self.address, timeout: 1, room: 4_096) else {
                continue
            }
            let path = newest.withLock { $0 }
            try? stream.send("GET \(path)/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            streams.add(1, ordering: .relaxed)
            open.append(stream)
        }
    }

    /// Begins request heads without ever ending them.
    private func dribble() {
        var connections: [RawConnection] = []
        while !isOver.isRaised {
            if connections.count > 600 { connections = [] }
            guard let connection = try? RawConnection(port: port, from: Self.address, timeout: 1) else { continue }
            try? connection.send("GET /")
            connections.append(connection)
        }
    }

    /// Sends inputs that a handler rejects, after each of which the server must restore the whole session.
    private func refuse(on path: String) {
        let client = LocalhostClient(port: port, from: Self.address)
        while !isOver.isRaised {
            let status = try? client.request("POST", "\(path)/events", body: #"{"event":"refuse"}"#).status
            if status == 422 { refusals.add(1, ordering: .relaxed) }
        }
    }
}
