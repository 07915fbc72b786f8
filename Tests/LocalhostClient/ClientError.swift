/// Why a request over localhost got no response.
public enum ClientError: Error, Equatable {
    /// Nobody listens on the port, or the system has no socket left.
    case cannotConnect(errorNumber: Int32)
    /// The peer took nothing more.
    case cannotSend(errorNumber: Int32)
    /// Nothing came for as long as the client waits.
    case timedOut
    /// The connection ended before the response did; says how many bytes had come.
    case closed(bytes: Int)
    /// What came is no HTTP response.
    case malformed(String)
}
