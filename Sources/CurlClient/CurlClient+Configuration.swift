extension CurlClient {
    /// How long a client waits, and how much it takes.
    public struct Configuration: Sendable {
        /// For the connection, its TLS included.
        public var connectTimeout: Duration = .seconds(2)
        /// For the whole, from the call to the last byte of the response.
        public var timeout: Duration = .seconds(10)
        /// The bytes of body that are taken, and as many again of head; a larger response is an error.
        public var responseLimit = 64 * 1024

        /// The defaults.
        public init() {}
    }
}
