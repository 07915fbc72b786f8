/// Why a request got no response.
public enum CurlError: Error, Equatable, Sendable {
    /// The URL is none, or names another protocol than http and https.
    case invalidURL
    /// The method or a header field cannot be sent; says which.
    case invalidRequest(String)
    /// The host has no address, or nobody listens there.
    case cannotConnect
    /// No whole response came in time.
    case timedOut
    /// The response is larger than so many bytes.
    case tooLarge(limit: Int)
    /// The task that waited was cancelled.
    case cancelled
    /// Anything else, in libcurl's words.
    case failed(String)
}

extension CurlError: CustomStringConvertible {
    /// One sentence for the operator.
    public var description: String {
        switch self {
        case .invalidURL: "this is no URL that a request can be sent to; write it as http://host:port/path"
        case .invalidRequest(let part): "\(part) cannot be sent in a request; use visible ASCII without line breaks"
        case .cannotConnect: "nobody answers at the host of the URL; check the address, and that the service runs"
        case .timedOut: "the service did not answer in time; try again later"
        case .tooLarge(let limit): "the service's response is larger than \(limit) bytes; ask it for less"
        case .cancelled: "the request was cancelled before its response came"
        case .failed(let reason): "the request failed: \(reason)"
        }
    }
}
