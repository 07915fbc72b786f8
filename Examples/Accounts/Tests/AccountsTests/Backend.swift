import Foundation
import Glibc
import Synchronization

/// A backend on a free port of this machine, controlled by a test.
///
/// It knows `kim` by the password `usher` and by the token `kim`. It uses one thread and accepts one request per
/// connection.
final class Backend: Sendable {
    /// The ways in which the backend responds.
    enum Behaviour: Sendable {
        /// Immediately.
        case fast
        /// When the test releases the requests.
        case slow
        /// With one byte, and then with nothing more.
        case stalling
        /// With the status 500.
        case failing
        /// With 200 and a text that is not JSON.
        case babbling
        /// With a redirect.
        case redirecting
        /// With a body of a size, padded with blanks after the JSON.
        case padded(to: Int)
    }

    /// An event that a test can wait for.
    enum Event: Sendable {
        /// A request is held.
        case held
        /// The client has aborted a request that is held.
        case abandoned
    }

    /// A request to sign in.
    struct Attempt: Sendable {
        let path: String
        let key: String
        let body: String
    }

    /// The sockets, which are shut down under the lock: once closed, their numbers may be reused.
    private struct State {
        /// The listening socket; nil once the backend has stopped.
        var listener: Int32?
        var behaviour = Behaviour.fast
        var attempts: [Attempt] = []
        /// The sockets of the requests that are held until the test releases them.
        var held: Set<Int32> = []

        mutating func release() {
            // Ends the wait for the client's next byte.
            for socket in held { shutdown(socket, Int32(SHUT_RD)) }
            held = []
        }

        mutating func stopListening() {
            if let listener { shutdown(listener, Int32(SHUT_RDWR)) }
            listener = nil
        }
    }

    let url: String
    private let state: Mutex<State>
    private let events: AsyncStream<Event>
    private let happen: AsyncStream<Event>.Continuation

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(listener, address, size) == 0 && listen(listener, 16) == 0
                && getsockname(listener, address, &size) == 0
        }
        state = Mutex(State(listener: listener))
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        (events, happen) = AsyncStream.makeStream()
        Thread.detachNewThread { self.accept(on: listener) }
    }

    /// Runs a body with a new backend, and stops the backend.
    static func run(_ body: (Backend) async throws -> Void) async throws {
        let backend = try Backend()
        defer { backend.stop() }
        try await body(backend)
    }

    /// The requests to sign in so far, in order.
    var attempts: [Attempt] { state.withLock { $0.attempts } }

    /// Changes how the backend responds from now on; requests that are held stay held.
    func behave(_ behaviour: Behaviour) {
        state.withLock { $0.behaviour = behaviour }
    }

    /// Waits for the next event of a kind.
    func next(_ wanted: Event) async {
        for await event in events where event == wanted { return }
    }

    /// Responds to the requests that are held.
    func release() {
        state.withLock { $0.release() }
    }

    /// Stops the backend, so that later connections are refused.
    func stop() {
        state.withLock { state in
            state.stopListening()
            state.release()
        }
    }

    private func accept(on listener: Int32) {
        while state.withLock({ $0.listener != nil }) {
            let socket = Glibc.accept(listener, nil, nil)
            if socket >= 0 { Thread.detachNewThread { self.serve(socket) } }
        }
        close(listener)
    }

    private func serve(_ socket: Int32) {
        defer { close(socket) }
        guard let attempt = Self.read(socket) else { return }
        let behaviour = state.withLock { state in
            state.attempts.append(attempt)
            return state.behaviour
        }
        switch behaviour {
        case .fast: send(Self.answer(to: attempt), to: socket)
        case .slow: if hold(socket) { send(Self.answer(to: attempt), to: socket) }
        case .stalling:
            send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", to: socket)
            _ = hold(socket)
        case .failing: send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n", to: socket)
        case .babbling: send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", to: socket)
        case .redirecting:
            send(
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: \(url)/elsewhere\r\nContent-Length: 0\r\n\r\n", to: socket
            )
        case .padded(let size):
            // Without a length: the end of the connection ends the body.
            let padding = String(repeating: " ", count: max(0, size - Self.kim.utf8.count))
            send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(Self.kim)\(padding)", to: socket)
        }
    }

    /// Holds a request until the test releases it or its client aborts it.
    ///
    /// - Returns: `true` if the test has released it.
    private func hold(_ socket: Int32) -> Bool {
        state.withLock { _ = $0.held.insert(socket) }
        happen.yield(.held)
        var byte: UInt8 = 0
        _ = recv(socket, &byte, 1, 0)
        let isReleased = state.withLock { $0.held.remove(socket) == nil }
        if !isReleased { happen.yield(.abandoned) }
        return isReleased
    }

    private func send(_ text: String, to socket: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads a request; nil if there is none.
    private static func read(_ socket: Int32) -> Attempt? {
        var received = Data()
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = received.range(of: Data("\r\n\r\n".utf8)) {
                let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
                let fields = Dictionary(
                    lines.dropFirst().map { line in
                        let colon = line.firstIndex(of: ":") ?? line.endIndex
                        return (line[..<colon].lowercased(), line[colon...].drop { ": ".contains($0) })
                    }, uniquingKeysWith: { first, _ in first })
                let body = received[end.upperBound...]
                if body.count >= fields["content-length"].flatMap({ Int($0) }) ?? 0 {
                    return Attempt(
                        path: lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? "",
                        key: String(fields["idempotency-key"] ?? ""), body: String(decoding: body, as: UTF8.self))
                }
            }
            let count = recv(socket, &part, part.count, 0)
            guard count > 0 else { return nil }
            received += part[..<count]
        }
    }

    private static func answer(to attempt: Attempt) -> String {
        let credentials = try? JSONDecoder().decode([String: String].self, from: Data(attempt.body.utf8))
        let isRight = credentials == ["name": "kim", "password": "usher"] || credentials == ["token": "kim"]
        guard attempt.path == "/sign-in", isRight else {
            return "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}"
        }
        return "HTTP/1.1 200 OK\r\nContent-Length: \(kim.utf8.count)\r\n\r\n\(kim)"
    }

    private static let kim = #"{"user":{"id":1,"name":"Kim","city":"Seoul"},"since":2020}"#
}
