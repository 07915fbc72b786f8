package import UsherHTTP

/// What a client prefers about waiting (RFC 7240, sections 4.1 and 4.3).
///
/// A preference that is not understood is not heard, as the RFC has it.
package struct Preference: Equatable {
    /// How long the answer may wait; nil where nothing was said.
    package private(set) var wait: Duration?
    /// Whether the answer should come at once.
    private(set) var isAsynchronous = false

    /// No answer waits longer, whatever a client prefers.
    static let longest = 60

    package init(_ request: Request) {
        guard request.headers.contains("Prefer") else { return }
        for field in request.headers.values(of: "Prefer") {
            for preference in field.split(separator: ",") { read(preference.filter { $0 != " " && $0 != "\t" }) }
        }
    }

    /// How long the answer to an input waits for the effects that it begins; nil for not at all.
    var eventWait: Duration? { isAsynchronous ? nil : wait ?? .seconds(5) }

    /// What was done, for `Preference-Applied`; nil where nothing was asked for.
    var applied: String? {
        if isAsynchronous { return "respond-async" }
        return wait.map { "wait=\($0.components.seconds)" }
    }

    /// The first of a kind counts.
    private mutating func read(_ preference: String) {
        let parts = preference.split(separator: "=", maxSplits: 1)
        switch parts.first?.lowercased() {
        case "respond-async" where parts.count == 1: isAsynchronous = true
        case "wait":
            guard wait == nil, parts.count == 2, let seconds = UInt32(parts[1]) else { return }
            wait = .seconds(min(Int(seconds), Self.longest))
        default: break
        }
    }
}

extension Response {
    /// Says which preference the answer follows.
    func applying(_ preference: Preference) -> Response {
        guard let applied = preference.applied else { return self }
        var response = self
        response.headers.set(name: "Preference-Applied", value: applied)
        return response
    }
}
