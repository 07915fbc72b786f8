package import UsherHTTP

/// A client's preference about waiting (RFC 7240, sections 4.1 and 4.3).
///
/// A preference that is not understood is not heard, as the RFC has it.
package struct Preference: Equatable {
    /// The longest wait for the answer; nil where nothing was said.
    package private(set) var wait: Duration?
    /// Set where the answer should come at once.
    private(set) var isAsynchronous = false

    /// No answer waits longer, whatever a client prefers.
    static let longest = 60

    package init(_ request: borrowing Request) {
        guard request.headers.contains(.prefer) else { return }
        for field in request.headers.texts(of: .prefer) {
            for preference in field.split(separator: ",") { read(preference.prefix { $0 != ";" }) }
        }
    }

    /// The longest wait of an input's answer for the effects that it begins; nil for none.
    var eventWait: Duration? { isAsynchronous ? nil : wait ?? .seconds(5) }

    /// The part that a wait for a revision follows: it cannot come at once.
    var ofWaiter: Preference {
        var preference = self
        preference.isAsynchronous = false
        return preference
    }

    /// The value of `Preference-Applied`; nil where nothing was asked for.
    var applied: String? {
        if isAsynchronous { return "respond-async" }
        return wait.map { "wait=\($0.components.seconds)" }
    }

    /// The first of a kind counts.
    private mutating func read(_ preference: Substring) {
        let parts = preference.split(separator: "=", maxSplits: 1).map(\.withoutBlanks)
        switch parts.first?.lowercased() {
        case "respond-async" where parts.count == 1: isAsynchronous = true
        case "wait" where parts.count == 2 && wait == nil: wait = Self.seconds(parts[1])
        default: break
        }
    }

    /// A number of any length that has digits alone; more than the longest wait is that.
    private static func seconds(_ text: Substring) -> Duration? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return .seconds(min(Int(text) ?? longest, longest))
    }
}

extension Response {
    /// Says which preference the answer follows.
    consuming func applying(_ preference: Preference) -> Response {
        guard let applied = preference.applied else { return self }
        var response = self
        response.headers.set(name: "Preference-Applied", value: applied)
        return response
    }
}
