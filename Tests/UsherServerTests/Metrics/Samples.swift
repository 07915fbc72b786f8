import Testing
import UsherHTTP

/// The samples in a response of `/metrics`, by name and labels as they are written.
struct Samples {
    let text: String
    private let values: [String: Double]

    init(_ text: String) {
        self.text = text
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        self.values = values
    }

    /// Returns a sample, such as `usher_sessions{state="awake"}`.
    subscript(name: String) -> Double? { values[name] }

    /// The names of all samples.
    var names: [String] { values.keys.sorted() }
}

extension Stage {
    /// Returns the server's current metrics.
    func samples(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Samples {
        let answer = try await request(.get, "/metrics")
        #expect(answer.status == 200, sourceLocation: sourceLocation)
        return Samples(answer.text)
    }

    /// Expects the growth of samples during an action.
    func expectGrowth(
        _ growth: [String: Double], sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async throws {
        let before = try await samples(sourceLocation: sourceLocation)
        try await body()
        let after = try await samples(sourceLocation: sourceLocation)
        for (name, amount) in growth {
            #expect((after[name] ?? 0) - (before[name] ?? 0) == amount, "\(name)", sourceLocation: sourceLocation)
        }
    }
}
