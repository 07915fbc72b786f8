package import UsherJSON

/// The places of an input's secrets.
///
/// Secrets are in an event, the steps of a link, the options of a creation, an effect's output, or a message. The
/// places are relative to these parts, so they are valid in every document that contains the parts. The `write` methods
/// return the places of secrets in the writer's bytes: whole JSON values, in order.
package struct SecretPlaces: Sendable {
    /// A part of an input: one JSON value, which the journal stores unchanged.
    enum Part: Equatable, Sendable {
        case event
        case step(Int)
        case options
        case output
        case message
    }

    private var places: [(part: Part, range: Range<Int>)] = []

    /// Creates an empty value.
    package init() {}

    package var isEmpty: Bool { places.isEmpty }

    /// The number of places, including places inside of other places.
    var count: Int { places.count }

    /// Adds a place, relative to the beginning of the part's text.
    mutating func add(_ range: Range<Int>, in part: Part) {
        places.append((part, range))
    }

    /// Replaces all places in a part by the whole part.
    mutating func coverAll(of part: Part, _ whole: Range<Int>) {
        places.removeAll { $0.part == part }
        places.append((part, whole))
    }

    /// Returns the outermost places in a part, in order, as places in a document in which the part begins at an offset.
    func ranges(in part: Part, from offset: Int = 0) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        let ranges = Self.outermost(of: places.filter { $0.part == part }.map(\.range))
        return ranges.map { $0.lowerBound + offset..<$0.upperBound + offset }
    }

    /// Returns the ranges that are not inside of other ranges, in order.
    fileprivate static func outermost(of ranges: [Range<Int>]) -> [Range<Int>] {
        let sorted = ranges.sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
        var outermost: [Range<Int>] = []
        for range in sorted where range.lowerBound >= outermost.last?.upperBound ?? 0 { outermost.append(range) }
        return outermost
    }

    /// Appends the options of a creation: the text of an object, as at the tree's opening.
    package func write(options: [UInt8], into writer: inout JSONWriter) -> [Range<Int>] {
        write(options[...], .options, into: &writer)
    }

    /// Appends the steps of a link as an array.
    package func write(link: [JSONValue], into writer: inout JSONWriter) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        writer.beginArray()
        for (index, step) in link.enumerated() { ranges += write(step.bytes, .step(index), into: &writer) }
        writer.endArray()
        return ranges
    }

    func write(event: JSONValue, into writer: inout JSONWriter) -> [Range<Int>] {
        write(event.bytes, .event, into: &writer)
    }

    func write(output: [UInt8], into writer: inout JSONWriter) -> [Range<Int>] {
        write(output[...], .output, into: &writer)
    }

    func write(message: JSONValue, into writer: inout JSONWriter) -> [Range<Int>] {
        write(message.bytes, .message, into: &writer)
    }

    private func write(_ text: ArraySlice<UInt8>, _ part: Part, into writer: inout JSONWriter) -> [Range<Int>] {
        writer.raw(text)
        return ranges(in: part, from: writer.bytes.count - text.count)
    }
}

extension App {
    /// Returns a step of a link with its secrets masked, and whether the step has a secret.
    ///
    /// The flow types of the hosts that the app lists show where the secrets are. This also works for a step that no
    /// host has decoded yet, because the link waits.
    ///
    /// - Returns: nil if no host has a flow of this name, or if a host with such a flow cannot decode the step.
    package static func masked(_ step: JSONValue) -> (json: [UInt8], hasSecrets: Bool)? {
        secretPlaces(of: step).map { (step.masking($0), !$0.isEmpty) }
    }

    /// Returns the places of the secrets in a step of a link, in order, relative to the beginning of the step; nil in
    /// the same cases as for `masked(_:)`.
    package static func secretPlaces(of step: JSONValue) -> [Range<Int>]? {
        guard let name = step.caseNameAndPayload?.name else { return nil }
        let hosts = flowHosts.filter { $0.takesFlow(named: name) }
        let places = hosts.compactMap { $0.secretPlaces(of: step) }
        guard !places.isEmpty, places.count == hosts.count else { return nil }
        // Two hosts may find the same secret, or one host may find a part of another host's secret.
        return SecretPlaces.outermost(of: places.flatMap { $0 })
    }

    /// Returns an event with its secrets masked, according to the type of its screen.
    ///
    /// The session may have refused the event.
    ///
    /// - Returns: nil if the app lists no screen of this name, or if the screen cannot decode the event.
    package static func masked(event: JSONValue, of screen: String) -> [UInt8]? {
        guard let type = screens.first(where: { $0.name == screen }) else { return nil }
        return type.secretPlaces(of: event).map { event.masking($0) }
    }
}

extension JSONValue {
    /// Returns the text with an ellipsis in place of each range; the ranges are in order, not nested, and relative to
    /// the beginning of the value.
    fileprivate func masking(_ ranges: [Range<Int>]) -> [UInt8] {
        var json: [UInt8] = []
        var rest = bytes
        for range in ranges {
            json += rest[..<(bytes.startIndex + range.lowerBound)] + Array("\"…\"".utf8)
            rest = bytes[(bytes.startIndex + range.upperBound)...]
        }
        return json + rest
    }
}

extension Screen {
    fileprivate static func secretPlaces(of event: JSONValue) -> [Range<Int>]? {
        let secrets = SecretLedger()
        secrets.begin(revision: 1, isErased: false)
        guard (try? ScreenDescription<Self>.cached().decode(event, secrets)) != nil else { return nil }
        secrets.commit(waiting: [])
        return secrets.places.ranges(in: .event)
    }
}

extension FlowHost {
    fileprivate static func takesFlow(named name: String) -> Bool {
        presentName(ofFlow: name) != nil
    }

    fileprivate static func secretPlaces(of step: JSONValue) -> [Range<Int>]? {
        let source = SecretSource(part: .step(0), range: step.range, input: nil, translation: nil)
        let secrets = SecretLedger()
        secrets.begin(revision: 1, isErased: false)
        guard (try? decode(step, from: source, secrets)) != nil else { return nil }
        secrets.commit(waiting: [])
        return secrets.places.ranges(in: .step(0))
    }
}
