private import Glibc
private import LocalhostClient
private import Programs
private import Synchronization

/// HAProxy in front of several servers, on its own port.
package final class FrontProxy: Sendable {
    /// The rule by which HAProxy chooses a server.
    package enum Routing: Sendable {
        /// All requests of a session go to the same server while it is available.
        case affinity
        /// Each request goes to the next server.
        case roundRobin
    }

    /// The port that HAProxy listens on.
    package let port: Int
    private let folder: TemporaryFolder
    private let program: Mutex<Program>

    /// Starts HAProxy in front of the servers on some ports.
    package init(before ports: [Int], routing: Routing) throws {
        folder = try TemporaryFolder()
        // The port does not identify HAProxy, because another program may take the free port first and answer instead.
        let monitor = "/proxy-\(UInt64.random(in: .min ... .max))"
        for _ in 0..<8 {
            let port = try Self.freePort()
            let configuration = Self.configuration(port, ports, routing, monitor)
            try folder.write(Array(configuration.utf8), to: "configuration")
            let path = "PATH=\(Program.environment["PATH"] ?? ""):/usr/sbin:/sbin"
            let program = try Program(
                ["env", path, "haproxy", "-db", "-q", "-f", folder("configuration")], errors: .file(folder("log")))
            if Self.answers(port, at: [monitor, "/healthz"]) {
                self.port = port
                self.program = Mutex(program)
                return
            }
        }
        throw ServerClusterError(
            reason: "HAProxy does not start: \(String(decoding: folder.bytes(of: "log"), as: UTF8.self))")
    }

    private static func configuration(
        _ port: Int, _ ports: [Int], _ routing: Routing, _ monitor: String
    ) -> String {
        let servers = ports.enumerated().map { "server server\($0) 127.0.0.1:\($1)" }.joined(separator: "\n    ")
        let (set, balance) =
            switch routing {
            case .affinity:
                ("http-request set-var(txn.id) path,field(3,/)", "balance hash var(txn.id)\n    hash-type consistent")
            case .roundRobin: ("", "balance roundrobin")
            }
        return """
            global
                maxconn 1000
                # Another that was told the same port takes half of its connections, and cuts them at its end.
                noreuseport
            defaults
                mode http
                timeout connect 1s
                # Longer than a test may rest between two requests of a client.
                timeout client 10m
                timeout server 60s
                # A server may close an idle connection at the moment at which a request is sent on it.
                option http-server-close
                option redispatch 1
                retries 3
                retry-on conn-failure
            frontend all
                bind 127.0.0.1:\(port)
                monitor-uri \(monitor)
                acl opens path /sessions
                use_backend opening if opens
                default_backend sessions
            backend opening
                balance leastconn
                option httpchk GET /readyz
                default-server check inter 200ms fall 2 rise 1
                \(servers)
            backend sessions
                \(set)
                \(balance)
                option httpchk GET /readyz
                default-server check inter 200ms fall 2 rise 1
                \(servers)

            """
    }

    /// Returns a port on which no program listens.
    package static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isFound = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return unsafe bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
        }
        guard isFound else { throw ServerClusterError(reason: "there is no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits until a proxy responds to requests for some paths.
    static func answers(_ port: Int, at paths: [String]) -> Bool {
        for _ in 0..<200 {
            let client = LocalhostClient(port: port, timeout: 1)
            let isHere = paths.allSatisfy { (try? client.request("GET", $0))?.status == 200 }
            if isHere { return true }
            usleep(20_000)
        }
        return false
    }
}
