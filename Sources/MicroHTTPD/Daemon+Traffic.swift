extension Daemon {
    /// What goes on at a daemon.
    package struct Traffic: Sendable {
        /// Connections that are open.
        package let connections: Int
        /// Requests under way, from their request line to the end of their response.
        package let requests: Int
    }

    /// What goes on now.
    package var traffic: Traffic {
        Traffic(connections: service.connections.count, requests: service.requests.count)
    }
}
