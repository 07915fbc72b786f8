/// The hosts of a database, in the order in which they are tried: the first host that accepts writes is used.
struct DatabaseHosts: Equatable, Sendable {
    /// A host in libpq's form; an empty value stands for libpq's default.
    struct Host: Equatable, Sendable {
        /// The host's name, or the folder of its Unix socket.
        var name = ""
        /// The numerical address, which is used instead of the name if it is set.
        var address = ""
        var port = ""

        /// A Boolean value that indicates whether the host is this machine, because its address is a Unix socket or a
        /// loopback address.
        var isLocal: Bool {
            let target = address.isEmpty ? name : address
            if target.isEmpty || target.hasPrefix("/") || target.hasPrefix("@") { return true }
            if target == "localhost" || target == "::1" { return true }
            return target.hasPrefix("127.") && target.allSatisfy { $0.isNumber || $0 == "." }
        }

        /// Returns `true` if a connection may have been made to this host.
        ///
        /// - Parameter connected: The connection's host as libpq reports it, always with a port.
        func matches(_ connected: Host) -> Bool {
            let isNamed = [name, address].contains(connected.name) || (name.isEmpty && address.isEmpty)
            return isNamed && (port.isEmpty || port == connected.port)
        }
    }

    private(set) var list: [Host]

    /// Parses the lists in a connection's options, which may come from the environment.
    ///
    /// - Returns: nil if the lists have different lengths.
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

    var options: [(keyword: String, value: String)] {
        [
            ("host", joined(list.map(\.name))), ("hostaddr", joined(list.map(\.address))),
            ("port", joined(list.map(\.port))),
        ]
    }

    /// Joins values with commas; if all values are empty, returns an empty text, which sets no option.
    private func joined(_ values: [String]) -> String {
        values.allSatisfy(\.isEmpty) ? "" : values.joined(separator: ",")
    }

    /// Moves a host to the end of the list, because the host is unfit or does not replicate its commits.
    mutating func postpone(_ connected: Host) {
        list = list.filter { !$0.matches(connected) } + list.filter { $0.matches(connected) }
    }

    mutating func prefer(_ connected: Host) {
        list = list.filter { $0.matches(connected) } + list.filter { !$0.matches(connected) }
    }
}
