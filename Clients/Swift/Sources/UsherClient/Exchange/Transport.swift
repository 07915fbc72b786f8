public import Foundation

/// A transport to a server: one request, one response.
public protocol Transport: Sendable {
    /// Sends a request and returns the response once its head has arrived.
    ///
    /// Cancelling the task, or releasing the response's body, cancels the request.
    ///
    /// - Throws: The transport's error if there is no response.
    func begin(_ request: TransportRequest) async throws -> TransportResponse
}

/// A request as it is sent.
public struct TransportRequest: Sendable {
    /// The method in capitals.
    public var method: String
    /// The complete URL.
    public var url: String
    /// The header fields.
    public var headers: [String: String]
    /// The body; nil if there is none.
    public var body: Data?

    /// Creates a request.
    public init(method: String, url: String, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The head of a response, and its body as it arrives.
public struct TransportResponse: Sendable {
    /// The pieces of a body, of any size.
    public typealias Body = AsyncThrowingStream<Data, any Error>

    /// The HTTP status.
    public var status: Int
    /// The pieces of the body.
    public var body: Body
    private var headers: [String: String]

    /// Creates a response, whose header fields are found in any letter case.
    public init(status: Int, headers: [String: String], body: Body) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
        self.body = body
    }

    /// Returns a header field by its name in lower case.
    func header(_ name: String) -> String? { headers[name] }

    /// Reads the whole body.
    func wholeBody() async throws -> Data {
        var whole = Data()
        for try await piece in body { whole += piece }
        // A cancelled stream ends like a complete one.
        try Task.checkCancellation()
        return whole
    }
}
