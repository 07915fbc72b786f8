import Dispatch
import Foundation
import Glibc
import LocalhostClient
import Synchronization
import Testing

/// An attacker of one address, who does each thing as fast as he can.
final class Attack: Sendable {
    private let port: Int
    private let isOver = Flag()
    private let answers = Atomic(0)
    private let refusals = Atomic(0)
    private let streams = Atomic(0)
    /// A session to be watched.
    private let newest = Mutex("")
    /// Sessions with long histories.
    private let histories = Mutex<[String]>([])

    init(port: Int) {
        self.port = port
    }

    /// The answers that he has got so far.
    var count: Int { answers.load(ordering: .relaxed) }

    /// What he has done, in words.
    var summary: String {
        "\(count) answers, \(refusals.load(ordering: .relaxed)) refused inputs, \(streams.load(ordering: .relaxed)) streams"
    }

    /// Makes sessions with long histories.
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

    /// Attacks until a body has come to its end.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        let threads = DispatchGroup()
        let refusing = histories.withLock { $0 }.map { path -> @Sendable () -> Void in { self.refuse(on: path) } }
        for work in [openSessions, openSessions, watch, dribble] + refusing {
            threads.enter()
            // One of its own, for its policy stays with it.
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

    /// Leaves the processors to the server and to others: an attacker's are his own, and only here the same.
    private static func stepBack() {
        var parameters = sched_param()
        unsafe sched_setscheduler(0, idlePolicy, &parameters)
    }

    /// `SCHED_IDLE`, of Linux alone: nobody who wakes waits for it, as for a thread that is only nice.
    private static let idlePolicy: Int32 = 5

    private static let address: UInt8 = 2
    private static let large = #"{"event":{"echo":{"text":"\#(String(repeating: "x", count: 60_000))"}}}"#

    /// Opens sessions, each of which is made large.
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

    /// Opens streams that he never reads, and lets all go when there are many.
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

    /// Begins heads that he never ends.
    private func dribble() {
        var connections: [RawConnection] = []
        while !isOver.isRaised {
            if connections.count > 600 { connections = [] }
            guard let connection = try? RawConnection(port: port, from: Self.address, timeout: 1) else { continue }
            try? connection.send("GET /")
            connections.append(connection)
        }
    }

    /// Sends what a handler refuses, after which the whole session has to be as it was.
    private func refuse(on path: String) {
        let client = LocalhostClient(port: port, from: Self.address)
        while !isOver.isRaised {
            let status = try? client.request("POST", "\(path)/events", body: #"{"event":"refuse"}"#).status
            if status == 422 { refusals.add(1, ordering: .relaxed) }
        }
    }
}
