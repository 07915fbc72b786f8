/// The hosts of a database, in the order in which they are tried: a connection goes to the first that takes writes.
struct DatabaseHosts: Equatable, Sendable {
    /// A host, as the client library knows it; what is empty is the library's default.
    struct Host: Equatable, Sendable {
        /// Its name, or the folder of its Unix socket.
        var name = ""
        /// Its numerical address, which is connected to in place of the name's.
        var address = ""
        var port = ""

        /// True for this machine: a folder with a Unix socket, or the loopback.
        var isLocal: Bool {
            let target = address.isEmpty ? name : address
            if target.isEmpty || target.hasPrefix("/") || target.hasPrefix("@") { return true }
            if target == "localhost" || target == "::1" { return true }
            return target.hasPrefix("127.") && target.allSatisfy { $0.isNumber || $0 == "." }
        }

        /// True where a connection may be to this host.
        ///
        /// - Parameter connected: The host that the client library tells of the connection, always with a port.
        func matches(_ connected: Host) -> Bool {
            let isNamed = [name, address].contains(connected.name) || (name.isEmpty && address.isEmpty)
            return isNamed && (port.isEmpty || port == connected.port)
        }
    }

    private(set) var list: [Host]

    /// Takes lists of a connection's options apart.
    ///
    /// - Parameter values: The options by their keywords, with those that the environment gives.
    /// - Returns: nil where they are not equally many.
    init?(_ values: [String: String]) {
        let lists = ["host", "hostaddr", "port"].map { keyword in
            (values[keyword] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (lists[0], lists[1], lists[2])
        let count = max(names.count, addresses.count)
        guard [1, count].contains(ports.count) else { return nil }
        guard names.count == count || names == [""], addresses.count == count || addresses == [""] else { return nil }
        list = (0..<count).map { index in
            Host(
                name: names.count == count ? names[index] : "",
                address: addresses.count == count ? addresses[index] : "",
                port: ports.count == count ? ports[index] : ports[0])
        }
    }

    /// The options of a connection to these.
    var options: [(keyword: String, value: String)] {
        [
            ("host", joined(list.map(\.name))), ("hostaddr", joined(list.map(\.address))),
            ("port", joined(list.map(\.port))),
        ]
    }

    /// The values, separated; empty where all are, which is no option.
    private func joined(_ values: [String]) -> String {
        values.allSatisfy(\.isEmpty) ? "" : values.joined(separator: ",")
    }

    /// Has a host tried last: its commits are not replicated, or it is not fit.
    mutating func postpone(_ connected: Host) {
        list = list.filter { !$0.matches(connected) } + list.filter { $0.matches(connected) }
    }

    /// Has a host tried first.
    mutating func prefer(_ connected: Host) {
        list = list.filter { $0.matches(connected) } + list.filter { !$0.matches(connected) }
    }
}
