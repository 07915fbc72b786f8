public import Foundation

/// The way to a server: one request, one answer.
public protocol Transport: Sendable {
    /// Sends a request, and answers when the head of the answer is there.
    ///
    /// A task that is cancelled while it waits breaks the request off, and so does one that is cancelled while it reads the
    /// body, or lets go of it.
    ///
    /// - Throws: An error of its own, where there is no answer.
    func begin(_ request: TransportRequest) async throws -> TransportResponse
}

/// A request as it goes over the wire.
public struct TransportRequest: Sendable {
    /// The method, in capitals.
    public var method: String
    /// The whole address.
    public var url: String
    /// The fields of its head.
    public var headers: [String: String]
    /// The body; nil where there is none.
    public var body: Data?

    /// A request to an address.
    public init(method: String, url: String, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The head of an answer, and its body as it comes.
public struct TransportResponse: Sendable {
    /// The pieces of a body, cut anywhere.
    public typealias Body = AsyncThrowingStream<Data, any Error>

    /// The status.
    public var status: Int
    /// The pieces of the body.
    public var body: Body
    private var headers: [String: String]

    /// An answer, whatever the letters of its fields' names.
    public init(status: Int, headers: [String: String], body: Body) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
        self.body = body
    }

    /// A field of the head, by its name in small letters.
    func header(_ name: String) -> String? { headers[name] }

    /// The whole body.
    func wholeBody() async throws -> Data {
        var whole = Data()
        for try await piece in body { whole += piece }
        // A stream that is given up ends like one that is complete.
        try Task.checkCancellation()
        return whole
    }
}
