private import Foundation
private import Glibc
private import Programs
private import Synchronization

/// HAProxy in front of the servers of two builds, configured by `deploy/haproxy.rolling.cfg`.
package final class RollingProxy: Sendable {
    /// The port that HAProxy listens on.
    package let port: Int
    private let folder: TemporaryFolder
    private let program: Mutex<Program>

    /// Starts HAProxy in front of the servers of both builds; the new build gets few requests at first.
    package init(new: [ClusterServer], old: [ClusterServer]) throws {
        folder = try TemporaryFolder(in: "/tmp")
        for _ in 0..<8 {
            let port = try FrontProxy.freePort()
            let configuration = try Self.configuration(port, new: new, old: old, folder)
            try folder.write(Array(configuration.utf8), to: "configuration")
            let path = "PATH=\(Program.environment["PATH"] ?? ""):/usr/sbin:/sbin"
            let program = try Program(
                ["env", path, "haproxy", "-db", "-q", "-f", folder("configuration")], errors: .file(folder("log")))
            // The control socket appears when HAProxy has the port, so it shows that no other program has taken the
            // port.
            if FrontProxy.answers(port, at: ["/healthz"]),
                (try? Self.command("show info", at: folder("admin.sock"))) != nil
            {
                self.port = port
                self.program = Mutex(program)
                return
            }
            program.kill()
        }
        throw ServerClusterError(
            reason: "HAProxy does not start: \(String(decoding: folder.bytes(of: "log"), as: UTF8.self))")
    }

    /// Sets each build's share of the requests, from 1 to 256.
    package func weigh(new: Int, old: Int) throws {
        for (build, weight) in [("new", new), ("old", old)] {
            let answer = try Self.command("set server builds/\(build) weight \(weight)", at: folder("admin.sock"))
            guard answer.allSatisfy(\.isWhitespace) else { throw ServerClusterError(reason: answer) }
        }
    }

    private static func configuration(
        _ port: Int, new: [ClusterServer], old: [ClusterServer], _ folder: TemporaryFolder
    ) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "deploy/haproxy.rolling.cfg")
        func lines(_ servers: [ClusterServer]) -> String {
            servers.map { "    server \($0.name) 127.0.0.1:\($0.port)" }.joined(separator: "\n")
        }
        var text = try String(contentsOf: file, encoding: .utf8)
        for (found, replacement) in [
            ("/run/haproxy", folder.path), ("[::]:8080 v4v6", "127.0.0.1:\(port)"),
            ("    server server3 10.0.0.3:8080", lines(new)),
            ("    server server1 10.0.0.1:8080\n    server server2 10.0.0.2:8080", lines(old)),
            ("maxconn 8192", "maxconn 1000\n    noreuseport"),
        ] {
            guard text.contains(found) else { throw ServerClusterError(reason: "\(file.path) has no \"\(found)\"") }
            text.replace(found, with: replacement)
        }
        return text
    }

    /// Sends a command to HAProxy's control socket.
    ///
    /// - Returns: The response.
    private static func command(_ command: String, at path: String) throws -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8.prefix($0.count - 1))
        }
        let isConnected = unsafe withUnsafeBytes(of: &address) { bytes in
            let start = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return unsafe connect(descriptor, start, socklen_t(bytes.count)) == 0
        }
        let text = Array((command + "\n").utf8)
        guard isConnected, unsafe write(descriptor, text, text.count) == text.count else {
            throw ServerClusterError(reason: "HAProxy does not listen at \(path)")
        }
        var (answer, part) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while case let count = unsafe read(descriptor, &part, part.count), count > 0 { answer += part.prefix(count) }
        return String(decoding: answer, as: UTF8.self)
    }
}
