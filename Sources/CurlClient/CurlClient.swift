/// An HTTP client: libcurl, behind a function that waits without holding up a thread of the process.
///
/// It goes straight to the host of the URL, over http or https and nothing else: it follows no redirect, and asks no
/// proxy, cookie or password file of the environment. Copies share their connections.
public struct CurlClient: Sendable {
    private let configuration: Configuration
    private let loop = TransferLoop()

    /// A client without connections yet.
    ///
    /// - Parameter configuration: How long it waits, and how much it takes.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Sends a request, and waits for the whole response, whatever its status.
    ///
    /// When the task is cancelled, the request is broken off; the service may have acted on it nevertheless. Where a
    /// connection that was open already turns out to be dead, it is sent again over a new one.
    ///
    /// - Parameters:
    ///   - method: Such as `POST`.
    ///   - url: Where to, such as `http://127.0.0.1:8080/sign-in`.
    ///   - headers: The names and values to send; `Host` and `Content-Length` are added.
    ///   - body: The content.
    /// - Returns: The status and the content of the response.
    /// - Throws: Why there is no response.
    public func send(
        _ method: String, _ url: String, headers: [(String, String)] = [], body: [UInt8] = []
    ) async throws(CurlError) -> (status: Int, body: [UInt8]) {
        let request = try TransferRequest(method, url, headers, body, configuration)
        return try await loop.run(request).get()
    }

    /// Checks that requests can be sent to a URL, as far as its text tells.
    ///
    /// - Throws: `CurlError.invalidURL` when they cannot.
    public static func check(url: String) throws(CurlError) {
        let text = url.utf8
        // What is no visible ASCII must be percent-encoded (RFC 3986 §2).
        guard text.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .invalidURL }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw .invalidURL }
        guard ["http", "https"].contains(url[..<colon].lowercased()) else { throw .invalidURL }
        let rest = url[colon...]
        // libcurl would take the first name of the path for a host that is missing.
        guard rest.hasPrefix("://"), !rest.hasPrefix(":///"), rest.utf8.count > 3 else { throw .invalidURL }
    }
}
