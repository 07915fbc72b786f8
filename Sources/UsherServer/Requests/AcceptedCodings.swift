import UsherHTTP

/// The content codings that a client takes, as `Accept-Encoding` has them (RFC 9110, section 12.5.3).
struct AcceptedCodings {
    /// The weights by the names of codings; a star is all others.
    private var weights: [String: Double] = [:]

    /// Reads the field; without one, or where it cannot be read, an answer goes as it is.
    init(_ request: borrowing Request) {
        for element in request.headers.texts(of: .acceptEncoding).flatMap({ $0.split(separator: ",") }) {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(\.withoutBlanks)
            guard let name = parts.first?.lowercased(), !name.isEmpty else { continue }
            // It was gzip's name before (section 8.4.1.3).
            weights[name == "x-gzip" ? "gzip" : name] = Self.weight(parts.dropFirst())
        }
    }

    /// True where an answer in gzip is taken, and no less gladly than one as it is.
    var prefersGzip: Bool {
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        return gzip > 0 && gzip >= weights["identity"] ?? 0
    }

    /// The weight among the parameters; what cannot be read is none, so that nobody gets what he may not take.
    private static func weight(_ parameters: ArraySlice<Substring>) -> Double {
        guard let parameter = parameters.first else { return 1 }
        let sides = parameter.split(separator: "=", maxSplits: 1).map(\.withoutBlanks)
        guard parameters.count == 1, sides.count == 2, sides[0].lowercased() == "q", let weight = Double(sides[1]),
            (0...1).contains(weight)
        else { return 0 }
        return weight
    }
}
