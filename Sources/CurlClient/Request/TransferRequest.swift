/// A request that libcurl can be trusted with: no text in it ends early or adds a line.
struct TransferRequest: Sendable {
    let method: String
    let url: String
    /// Whole header lines, as libcurl wants them.
    let headers: [String]
    let body: [UInt8]
    let connectTimeout: Int
    let timeout: Int
    let responseLimit: Int

    init(
        _ method: String, _ url: String, _ headers: [(String, String)], _ body: [UInt8],
        _ configuration: CurlClient.Configuration
    ) throws(CurlError) {
        guard method.isToken else { throw .invalidRequest("the method") }
        try CurlClient.check(url: url)
        self.method = method
        self.url = url
        self.headers = try Self.lines(headers)
        self.body = body
        connectTimeout = configuration.connectTimeout.milliseconds
        timeout = configuration.timeout.milliseconds
        responseLimit = configuration.responseLimit
    }

    /// A name without a value is how libcurl is told to leave out a field that it would add.
    private static func lines(_ headers: [(String, String)]) throws(CurlError) -> [String] {
        var lines = ["Expect:"]
        if !headers.contains(where: { $0.0.lowercased() == "content-type" }) { lines.append("Content-Type:") }
        for (name, value) in headers {
            guard name.isToken else { throw .invalidRequest("the name of a header field") }
            guard value.isFieldValue else { throw .invalidRequest("the value of the header field \(name)") }
            // An empty value is marked by a semicolon.
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines
    }
}

extension String {
    /// RFC 9110 §5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// RFC 9110 §5.5, without what is not ASCII.
    fileprivate var isFieldValue: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 } }
}

extension Duration {
    /// Whole milliseconds, at least one, for zero would be no limit at all; at most those of a day.
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = min(max(self, .milliseconds(1)), .seconds(86_400)).components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
