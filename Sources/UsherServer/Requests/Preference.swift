package import UsherHTTP

/// A client's preference for waiting (RFC 7240, sections 4.1 and 4.3); unknown preferences are ignored, as the RFC
/// requires.
package struct Preference: Equatable {
    /// The maximum time to wait for the response; nil if the client states no preference.
    package private(set) var wait: Duration?
    /// A Boolean value that indicates whether the client prefers an immediate response.
    private(set) var isAsynchronous = false

    /// The upper limit of a wait in seconds, whatever the client prefers.
    static let longest = 60

    package init(_ request: borrowing Request) {
        guard request.headers.contains(.prefer) else { return }
        for field in request.headers.texts(of: .prefer) {
            for preference in field.split(separator: ",") { read(preference.prefix { $0 != ";" }) }
        }
    }

    /// The maximum wait for the effects that an input starts; nil for no wait.
    var eventWait: Duration? { isAsynchronous ? nil : wait ?? .seconds(5) }

    /// The part of the preference that applies to a wait for a revision; such a wait cannot be asynchronous.
    var ofWaiter: Preference {
        var preference = self
        preference.isAsynchronous = false
        return preference
    }

    /// The value of `Preference-Applied`; nil if the client states no preference.
    var applied: String? {
        if isAsynchronous { return "respond-async" }
        return wait.map { "wait=\($0.components.seconds)" }
    }

    /// Parses a preference; of several preferences of the same kind, the first applies.
    private mutating func read(_ preference: Substring) {
        let parts = preference.split(separator: "=", maxSplits: 1).map(\.withoutBlanks)
        switch parts.first?.lowercased() {
        case "respond-async" where parts.count == 1: isAsynchronous = true
        case "wait" where parts.count == 2 && wait == nil: wait = Self.seconds(parts[1])
        default: break
        }
    }

    /// Parses a number of any length; the result is at most the upper limit.
    private static func seconds(_ text: Substring) -> Duration? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return .seconds(min(Int(text) ?? longest, longest))
    }
}

extension Response {
    consuming func applying(_ preference: Preference) -> Response {
        guard let applied = preference.applied else { return self }
        var response = self
        response.headers.set(name: "Preference-Applied", value: applied)
        return response
    }
}
