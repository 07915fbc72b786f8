extension Daemon {
    /// What goes on at a daemon.
    public struct Traffic: Sendable {
        /// Connections that are open.
        public let connections: Int
        /// Requests under way, from their request line to the end of their response.
        public let requests: Int
    }

    /// What goes on now.
    public var traffic: Traffic {
        Traffic(connections: service.connections.count, requests: service.requests.count)
    }
}
