import UsherHTTP

/// The content codings that a client accepts in `Accept-Encoding` (RFC 9110, section 12.5.3).
struct AcceptedCodings {
    /// The weights by coding; `*` stands for all codings that are not named.
    private var weights: [String: Double] = [:]

    /// Parses the field; without a valid field, responses are not compressed.
    init(_ request: borrowing Request) {
        for element in request.headers.texts(of: .acceptEncoding).flatMap({ $0.split(separator: ",") }) {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(\.withoutBlanks)
            guard let name = parts.first?.lowercased(), !name.isEmpty else { continue }
            // `x-gzip` is an older name of gzip (section 8.4.1.3).
            weights[name == "x-gzip" ? "gzip" : name] = Self.weight(parts.dropFirst())
        }
    }

    /// A Boolean value that indicates whether the client accepts gzip, and prefers gzip at least as much as an
    /// uncompressed response.
    var prefersGzip: Bool {
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        return gzip > 0 && gzip >= weights["identity"] ?? 0
    }

    /// Returns the weight in the parameters; 0 if they are malformed, so that the coding is not used.
    private static func weight(_ parameters: ArraySlice<Substring>) -> Double {
        guard let parameter = parameters.first else { return 1 }
        let sides = parameter.split(separator: "=", maxSplits: 1).map(\.withoutBlanks)
        guard parameters.count == 1, sides.count == 2, sides[0].lowercased() == "q", let weight = Double(sides[1]),
            (0...1).contains(weight)
        else { return 0 }
        return weight
    }
}
