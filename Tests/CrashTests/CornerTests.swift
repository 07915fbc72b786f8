import LocalhostClient
import Programs
import Testing
import UsherJSON

/// Tests of whole servers with damaged or missing journal files, or a failing disk.
@Suite("Damaged, deleted and full journals", .blocking, .timeLimit(.minutes(5)))
struct CornerTests {
    /// A change of a journal's files between two starts.
    struct Mishap: CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let strike: @Sendable (TemporaryFolder) throws -> Void
    }

    private static let mishaps = [
        Mishap(testDescription: "the journal is missing", words: "write-ahead log") { $0.remove(Corner.journal) },
        Mishap(testDescription: "the journal is empty", words: "write-ahead log") {
            try $0.write([], to: Corner.journal)
        },
        Mishap(testDescription: "the journal is a byte", words: "not a journal") {
            try $0.write([0], to: Corner.journal)
        },
        Mishap(testDescription: "a bit of the log has flipped", words: "was changed after it was written") { folder in
            var log = folder.bytes(of: Corner.log)
            // Complete transactions come before and after this byte.
            log[log.count / 2] ^= 4
            try folder.write(log, to: Corner.log)
        },
    ]

    @Test(arguments: mishaps)
    func `a server does not start with a damaged journal or log, and changes neither`(
        mishap: Mishap
    ) throws {
        let corner = try Corner()
        try corner.start()
        let path = try corner.open()
        for _ in 1...20 { try corner.send(path) }
        corner.kill()
        try mishap.strike(corner.folder)
        let before = [Corner.journal, Corner.log].map { corner.folder.bytes(of: $0) }
        for command in ["serve", "check"] {
            let end = try corner.run(command)
            #expect(end.status == 1 && end.error.contains(mishap.words), "\(command): \(end.error)")
        }
        #expect([Corner.journal, Corner.log].map { corner.folder.bytes(of: $0) } == before)
    }

    @Test func `a server whose journal's log is deleted refuses changes and loses no acknowledged change`() throws {
        let corner = try Corner()
        try corner.start()
        let path = try corner.open()
        for _ in 1...5 { try corner.send(path) }
        corner.folder.remove(Corner.log)
        #expect(try corner.answer(path).status == 503)
        #expect(try corner.revision(of: path) == 6)
        corner.kill()
        try corner.start()
        #expect(try corner.revision(of: path) == 6)
        try corner.send(path)
    }

    @Test(.enabled(if: Tracing.works, "strace may not trace here"), arguments: 1...10)
    func `a commit whose synchronization fails is refused, and does not appear after a restart`(point: Int) throws {
        let corner = try Corner()
        try corner.start()
        let path = try corner.open()
        for _ in 1...3 { try corner.send(path) }
        corner.kill()
        try corner.start(Tracing.command(failing: "fdatasync", when: "\(point)"))
        guard corner.isServing else { return }
        var (revision, refused) = (4, 0)
        for _ in 1...12 {
            let answer = try corner.answer(path)
            if answer.status == 200 {
                revision += 1
                #expect(corner.revision(in: answer) == revision)
            } else {
                refused += 1
                #expect(answer.status == 503 && corner.problem(in: answer) == "journal-unavailable")
                // What was rejected must be gone at once, even after a crash.
                corner.kill()
                try corner.start()
                #expect(try corner.revision(of: path) == revision)
            }
        }
        #expect(refused <= 1)
        #expect(try corner.revision(of: path) == revision)
    }

    @Test func `a server whose files cannot grow refuses inputs and still answers reads`() throws {
        let corner = try Corner()
        try corner.start(["bash", "-c", "ulimit -f 200 && exec \"$0\" \"$@\""])
        let path = try corner.open()
        var (revision, answer) = (0, try corner.answer(path))
        while answer.status == 200, revision < 2_000 {
            revision = corner.revision(in: answer) ?? 0
            answer = try corner.answer(path)
        }
        #expect(revision > 1)
        #expect(answer.status == 503 && corner.problem(in: answer) == "journal-unavailable")
        #expect(try corner.revision(of: path) == revision)
        corner.kill()
        try corner.start()
        #expect(try corner.revision(of: path) == revision)
        try corner.send(path)
    }

    @Test(.enabled(if: Tracing.works, "strace may not trace here"))
    func `an input that was possibly committed gets 504, and an input that gets 503 was not committed`() throws {
        // At most of these points, the first failure is the commit of an input; otherwise it is the journal's own
        // commit.
        let problems = try (6...9).map { point in try problem(failingFrom: point) }
        #expect(problems.contains("outcome-unknown"))
    }

    /// Makes all synchronizations fail from a certain one on, and compares the responses with the state after a crash.
    ///
    /// - Returns: The first problem.
    private func problem(failingFrom point: Int) throws -> String? {
        let corner = try Corner()
        try corner.start()
        let path = try corner.open()
        corner.kill()
        try corner.start(Tracing.command(failing: "fdatasync", when: "\(point)+"))
        try #require(corner.isServing)
        var (revision, problems) = (1, [String?]())
        for _ in 1...20 where problems.count < 3 {
            let answer = try corner.answer(path)
            if answer.status == 200 { revision += 1 } else { problems.append(corner.problem(in: answer)) }
        }
        let mayHaveHappened = problems.first == "outcome-unknown"
        #expect(problems.count == 3)
        #expect(problems.dropFirst(mayHaveHappened ? 1 : 0).allSatisfy { $0 == "journal-unavailable" })
        // Reads show the known state.
        #expect(try corner.revision(of: path) == revision)
        corner.kill()
        try corner.start()
        let revisions = mayHaveHappened ? [revision, revision + 1] : [revision]
        #expect(try corner.revision(of: path).map(revisions.contains) == true)
        return problems.first ?? nil
    }
}

/// A server with the sample apps on one journal, and a session of `notes`.
private final class Corner {
    static let (journal, log) = ("journal.sqlite", "journal.sqlite-wal")

    let folder: TemporaryFolder
    private var program: Program?
    private var port: Int?

    init() throws {
        folder = try TemporaryFolder()
    }

    private func command(_ name: String) -> [String] {
        ["\(Program.products)/usher", name, "--journal", "sqlite:\(folder(Self.journal))"]
            + (name == "serve" ? ["--port", "0", "--no-supervisor"] : [])
    }

    /// Starts the server.
    ///
    /// - Parameter runner: A command that runs the server.
    func start(_ runner: [String] = []) throws {
        let program = try Program(runner + command("serve"), errors: .nowhere)
        self.program = program
        port = program.readPort()
    }

    var isServing: Bool { port != nil }

    /// Runs a command to its end.
    func run(_ name: String) throws -> ProgramEnd { try Program.run(command(name)) }

    func kill() {
        program?.send(9)
        _ = program?.finish()
    }

    /// Opens a session.
    func open() throws -> String {
        let answer = try request("POST", "/sessions", #"{"app":"notes"}"#)
        return try #require(answer["Location"])
    }

    /// Shows a note and goes back in turn.
    func answer(_ path: String) throws -> RawResponse {
        let shown = try? JSONDocument(parsing: try request("GET", path).body).root[member: "back"]?.boolean
        let body = shown == true ? #"{"back":true}"# : #"{"event":{"showDetail":{"id":2}}}"#
        return try request("POST", "\(path)/events", body)
    }

    func send(_ path: String) throws {
        try #require(try answer(path).status == 200)
    }

    func revision(of path: String) throws -> Int? { revision(in: try request("GET", path)) }

    func revision(in answer: RawResponse) -> Int? {
        try? JSONDocument(parsing: answer.body).root[member: "revision"]?.integer
    }

    /// Returns the specific part of a problem's `type`.
    func problem(in answer: RawResponse) -> String? {
        let type = try? JSONDocument(parsing: answer.body).root[member: "type"]?.string
        return type?.split(separator: ":").last.map(String.init)
    }

    private func request(_ method: String, _ path: String, _ body: String? = nil) throws -> RawResponse {
        try LocalhostClient(port: try #require(port)).request(method, path, body: body)
    }
}
