import LocalhostClient

/// Sends a message on a connection of its own and reads the response.
func answer(to message: String, port: Int) throws -> RawResponse {
    let connection = try RawConnection(port: port)
    try connection.send(message)
    return try connection.readResponse(toHead: message.hasPrefix("HEAD "))
}

/// What a refusal must look like on the wire: the status, a problem, and the connection's end.
struct Refusal: Equatable {
    var status: Int
    var contentType: String?
    var isClosed: Bool

    init(_ status: Int) {
        self.status = status
        contentType = "application/problem+json"
        isClosed = true
    }

    /// Sends a message and notes how it was refused.
    init(of message: String, port: Int) throws {
        let connection = try RawConnection(port: port)
        try connection.send(message)
        let response = try connection.readResponse()
        status = response.status
        contentType = response["Content-Type"]
        isClosed = connection.closedByPeer
    }
}
