import Glibc
import UsherJournal
import UsherMetrics
import UsherPostgres
import UsherProcess

/// The load for a journal in PostgreSQL without sessions and HTTP.
///
/// Each lane appends an entry, waits until the entry is durable, and appends the next one.
///
///     JournalLoad URI CONNECTIONS LANES SESSIONS ENTRY_BYTES SECONDS
///
/// The program creates the sessions, prints `ready`, and waits for a line. Then it prints `measured rows=… groups=…
/// microseconds=… cpu=… head=…`: `cpu` is this process's CPU time in microseconds, `head` the bytes of a session's header.
/// It disconnects when its input ends.
@main
enum JournalLoad {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
        guard CommandLine.arguments.count == 7, numbers.count == 5, numbers.allSatisfy({ $0 > 0 }) else {
            throw LoadError.usage
        }
        let server = SharingServer("journal-load", build: "benchmark", connections: numbers[0])
        let journal = try PostgresJournal(PostgresLocation(CommandLine.arguments[1]), as: server)
        var lanes = (0..<numbers[1]).map { place in
            LoadLane(place, of: numbers[1], sessions: numbers[2], entry: [UInt8](repeating: 120, count: numbers[3]))
        }
        try await run(&lanes) { lane in try await lane.create(in: journal) }
        say("ready")
        let (groups, processor, start) = (journal.groups, clock(), MonotonicClock.now)
        let deadline = start + Int64(numbers[4]) * 1_000_000_000
        try await run(&lanes) { lane in try await lane.append(in: journal, until: deadline) }
        let duration = (MonotonicClock.now - start) / 1_000
        say(
            "measured rows=\(lanes.reduce(0) { $0 + $1.appended }) groups=\(journal.groups - groups) "
                + "microseconds=\(duration) cpu=\(clock() - processor) head=\(lanes[0].headerSize)")
        await journal.close()
    }

    /// Prints a line, and waits for a line of input.
    private static func say(_ line: String) {
        StandardStream.output.write(line: line)
        _ = readLine()
    }

    /// Runs an action on all lanes at the same time.
    private static func run(
        _ lanes: inout [LoadLane], _ body: @escaping @Sendable (inout LoadLane) async throws -> Void
    ) async throws {
        lanes = try await withThrowingTaskGroup { group in
            for lane in lanes {
                group.addTask {
                    var lane = lane
                    try await body(&lane)
                    return lane
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// A lane: some sessions, which get entries in turn, each after the previous one is durable.
private struct LoadLane: Sendable {
    private var sessions: [(key: JournalKey, newest: PendingCommit, header: SessionHeader)]
    private let entry: [UInt8]
    private(set) var appended = 0

    /// Creates a lane whose sessions share a connection, if the lanes divide evenly among the connections.
    init(_ place: Int, of lanes: Int, sessions count: Int, entry: [UInt8]) {
        self.entry = entry
        let now = WallTime.milliseconds()
        let header = SessionHeader(app: "start-login-main", created: now, revision: 0, time: now, bytes: 0)
        sessions = stride(from: place, to: max(count, lanes), by: lanes).map { number in
            let high = UInt64.random(in: .min ... .max)
            return (JournalKey(high: high, low: UInt64(number)), .done, header)
        }
    }

    var headerSize: Int { sessions[0].header.bytes(of: sessions[0].key).count }

    mutating func create(in journal: PostgresJournal) async throws {
        for place in sessions.indices {
            follow(place)
            try await submit(.create(sessions[place].header, entries: [entry], opening: nil), place, journal)
        }
    }

    mutating func append(in journal: PostgresJournal, until deadline: Int64) async throws {
        while MonotonicClock.now < deadline {
            let place = appended % sessions.count
            follow(place)
            try await submit(.append(sessions[place].header, entry: entry, answer: nil), place, journal)
            appended += 1
        }
    }

    private mutating func follow(_ place: Int) {
        let header = sessions[place].header
        sessions[place].header = header.followed(byEntryAt: header.time, size: entry.count)
    }

    private mutating func submit(
        _ action: JournalChange.Action, _ place: Int, _ journal: PostgresJournal
    ) async throws {
        let (key, newest, _) = sessions[place]
        let commit = journal.submit(JournalChange(action, of: key, upon: newest))
        sessions[place].newest = commit
        if case .failure(let error) = await commit.wait() { throw LoadError.refused("\(error)") }
    }
}

extension PostgresJournal {
    /// The number of groups that the journal has committed.
    fileprivate var groups: Int { metrics?.changes.distribution.count ?? 0 }
}

/// The reason why there is no measurement.
private enum LoadError: Error {
    case usage
    case refused(String)
}
