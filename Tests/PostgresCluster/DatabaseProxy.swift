private import Foundation
private import Glibc
private import Programs
private import Synchronization
private import UsherProcess

/// A proxy in front of a cluster, on its own Unix socket.
///
/// It forwards requests, and loses or delays those that a test chooses.
public final class DatabaseProxy: Sendable {
    /// The times at which a connection can be cut.
    public enum Moment: Sendable, CaseIterable {
        /// The database never gets the request.
        case beforeRequest
        /// The database has got half of the request.
        case midRequest
        /// The database has responded, but the response is lost.
        case afterAnswer
    }

    /// A statement of a server, with a part of its SQL that no other statement of the same tests contains.
    public enum Statement: String, Sendable {
        case addGuilty = "INSERT INTO usher.guilty"
        case append = "access = coalesce(c.access, s.access)"
        case beat = "RETURNING node, "
        case claim = "UPDATE usher.work w SET owner = $1"
        case complete = "UPDATE usher.answers a SET content"
        case confirm = "WITH ORDINALITY"
        case create = "INSERT INTO usher.sessions"
        case end = "ended = c.ended"
        case erasable = "LEFT JOIN usher.entries e"
        case release = "DELETE FROM usher.work w USING l"
        case rewrite = "UPDATE usher.entries e SET content"
        case startOver = "DELETE FROM usher.entries o"
        case take = "INSERT INTO usher.chores"
        case touch = "SET touched = c.time"
    }

    /// A cut that is still to be made.
    private struct Cut: Sendable {
        let moment: Moment
        let statement: Statement
        let meanwhile: @Sendable () -> Void
    }

    private let folder: TemporaryFolder
    private let listener: Int32
    private let target: String
    private let cuts = Mutex<[Cut]>([])
    private let weir = Weir()

    /// Starts a proxy in front of a cluster.
    public init(before cluster: PostgresCluster) throws {
        folder = try TemporaryFolder(in: "/tmp")
        target = "\(cluster.folder)/.s.PGSQL.5432"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        let isBound = unsafe UnixAddress.with(folder(".s.PGSQL.5432")) { unsafe bind(listener, $0, $1) } == 0
        guard isBound, listen(listener, 64) == 0 else { throw ClusterError(reason: "the proxy cannot listen") }
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                guard let self else {
                    close(client)
                    return
                }
                self.serve(client)
            }
        }
    }

    deinit {
        // This also ends the thread's wait.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        thaw()
    }

    /// Returns the URI of a database behind the proxy; by default for the database's owner.
    public func uri(of database: String, as role: String = "usher_owner") -> String {
        "postgres:///\(database)?host=\(folder.path)&user=\(role)"
    }

    /// Cuts the connection at the next request for a statement.
    ///
    /// - Parameters:
    ///   - moment: The time of the cut, before or after the database has handled the request.
    ///   - statement: The statement.
    ///   - meanwhile: Called before the client notices the cut.
    public func cut(_ moment: Moment, at statement: Statement, meanwhile: @escaping @Sendable () -> Void = {}) {
        cuts.withLock { $0.append(Cut(moment: moment, statement: statement, meanwhile: meanwhile)) }
    }

    /// The number of cuts that have not been made yet.
    public var waitingCuts: Int { cuts.withLock(\.count) }

    /// The number of delayed requests so far.
    public var heldUp: Int { weir.count }

    /// Delays each request from now on.
    public func delay(by time: Duration) { weir.delay(by: time) }

    /// Stops forwarding; connections stay open.
    public func freeze() { weir.isFrozen = true }

    /// Forwards again, beginning with the bytes that were held back.
    public func thaw() { weir.isFrozen = false }

    /// Cuts all connections.
    public func cutAll() { weir.cutAll() }

    private func serve(_ client: Int32) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard unsafe UnixAddress.with(target, { unsafe connect(server, $0, $1) }) == 0 else {
            close(client)
            close(server)
            return
        }
        weir.open(client)
        Thread.detachNewThread { [weak self, weir] in
            Self.forward(client, server, weir) { self?.take($0, &$1) }
            weir.forget(client)
            close(client)
            close(server)
        }
    }

    /// Removes and returns the cut for a request, if there is one.
    ///
    /// - Parameter prepared: The SQL of the connection's prepared statements, by their names.
    private func take(_ request: [UInt8], _ prepared: inout [String: String]) -> Cut? {
        // The type of the message, four bytes of length, and texts, each of which ends with a zero.
        let texts = request.dropFirst(5).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard texts.count == 3 else { return nil }
        if request.first == UInt8(ascii: "P") { prepared[texts[0]] = texts[1] }
        // The name of the portal is empty.
        guard request.first == UInt8(ascii: "B"), let sql = prepared[texts[1]] else { return nil }
        return cuts.withLock { cuts in
            cuts.firstIndex { sql.contains($0.statement.rawValue) }.map { cuts.remove(at: $0) }
        }
    }

    private static func forward(
        _ client: Int32, _ server: Int32, _ weir: Weir, _ take: ([UInt8], inout [String: String]) -> Cut?
    ) {
        var prepared: [String: String] = [:]
        var lost: Cut?
        var tail: [UInt8] = []
        while true {
            var polled = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&polled, 2, -1) > 0 else { return }
            if polled[0].revents != 0 {
                guard let bytes = read(from: client) else { return }
                weir.pass(isRequest: true)
                if let cut = take(bytes, &prepared) {
                    if cut.moment == .midRequest { _ = write(Array(bytes.prefix(bytes.count / 2)), to: server) }
                    guard cut.moment == .afterAnswer else { return cut.meanwhile() }
                    lost = cut
                }
                guard write(bytes, to: server) else { return }
            }
            if polled[1].revents != 0 {
                guard let bytes = read(from: server) else { return }
                guard let cut = lost else {
                    weir.pass(isRequest: false)
                    guard write(bytes, to: client) else { return }
                    continue
                }
                tail = (tail + bytes).suffix(6)
                // The database is ready for the next request.
                if tail.starts(with: [UInt8(ascii: "Z"), 0, 0, 0, 5]) { return cut.meanwhile() }
            }
        }
    }

    private static func read(from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
