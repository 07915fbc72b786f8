package import UsherJSON

/// The places of an input's secrets: in its event, in the steps of its link, in the options of a creation, in an effect's
/// output, in a message.
///
/// Kept relative to these, so that it holds for every document that they are written into.
package struct SecretPlaces: Sendable {
    /// A part of an input that is one JSON value, written as it came.
    enum Part: Equatable, Sendable {
        case event
        case step(Int)
        case options
        case output
        case message
    }

    private var places: [(part: Part, range: Range<Int>)] = []

    /// No place.
    package init() {}

    /// True where there is none.
    package var isEmpty: Bool { places.isEmpty }

    /// Their number, those inside of others included.
    var count: Int { places.count }

    /// Notes a place, relative to the beginning of the part's text.
    mutating func add(_ range: Range<Int>, in part: Part) {
        places.append((part, range))
    }

    /// Notes a whole part in place of all that stands in it.
    mutating func coverAll(of part: Part, _ whole: Range<Int>) {
        places.removeAll { $0.part == part }
        places.append((part, whole))
    }

    /// The places in a part whose text begins at an offset, in order; one inside of another is left out.
    func ranges(in part: Part, from offset: Int = 0) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        let ranges = Self.outermost(of: places.filter { $0.part == part }.map(\.range))
        return ranges.map { $0.lowerBound + offset..<$0.upperBound + offset }
    }

    /// The ranges that are in none of the others, in order.
    fileprivate static func outermost(of ranges: [Range<Int>]) -> [Range<Int>] {
        let sorted = ranges.sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
        var outermost: [Range<Int>] = []
        for range in sorted where range.lowerBound >= outermost.last?.upperBound ?? 0 { outermost.append(range) }
        return outermost
    }

    /// Appends the options of a creation.
    ///
    /// - Parameters:
    ///   - options: An object's text, as the tree was opened with it.
    ///   - writer: Where to append.
    /// - Returns: Where in the writer's bytes secrets stand: whole JSON values, in order.
    package func write(options: [UInt8], into writer: inout JSONWriter) -> [Range<Int>] {
        write(options[...], .options, into: &writer)
    }

    /// Appends the steps of a link as an array.
    ///
    /// - Parameters:
    ///   - link: The steps, as the tree was given them.
    ///   - writer: Where to append.
    /// - Returns: Where in the writer's bytes secrets stand: whole JSON values, in order.
    package func write(link: [JSONValue], into writer: inout JSONWriter) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        writer.beginArray()
        for (index, step) in link.enumerated() { ranges += write(step.bytes, .step(index), into: &writer) }
        writer.endArray()
        return ranges
    }

    /// Appends an event, and says where in the writer's bytes secrets stand.
    func write(event: JSONValue, into writer: inout JSONWriter) -> [Range<Int>] {
        write(event.bytes, .event, into: &writer)
    }

    /// Appends an effect's output, and says where in the writer's bytes secrets stand.
    func write(output: [UInt8], into writer: inout JSONWriter) -> [Range<Int>] {
        write(output[...], .output, into: &writer)
    }

    /// Appends a message, and says where in the writer's bytes secrets stand.
    func write(message: JSONValue, into writer: inout JSONWriter) -> [Range<Int>] {
        write(message.bytes, .message, into: &writer)
    }

    private func write(_ text: ArraySlice<UInt8>, _ part: Part, into writer: inout JSONWriter) -> [Range<Int>] {
        writer.raw(text)
        return ranges(in: part, from: writer.bytes.count - text.count)
    }
}

extension App {
    /// A step of a link with its secrets masked, by the types of the hosts that the app tells of: also one that has had to
    /// wait, so that no host has decoded it.
    ///
    /// - Parameter step: The step.
    /// - Returns: The step's text, and whether there was a secret; nil where not all hosts with a flow of this name can
    ///   decode it, or there is none.
    package static func masked(_ step: JSONValue) -> (json: [UInt8], hasSecrets: Bool)? {
        secretPlaces(of: step).map { (step.masking($0), !$0.isEmpty) }
    }

    /// The places of the secrets in a step of a link, by the types of the hosts that the app tells of.
    ///
    /// - Parameter step: The step.
    /// - Returns: The places, in order, relative to its beginning; nil as for `masked`.
    package static func secretPlaces(of step: JSONValue) -> [Range<Int>]? {
        guard let name = step.caseNameAndPayload?.name else { return nil }
        let hosts = flowHosts.filter { $0.takesFlow(named: name) }
        let places = hosts.compactMap { $0.secretPlaces(of: step) }
        guard !places.isEmpty, places.count == hosts.count else { return nil }
        // Two hosts may have found the same one, or one of them a part of what is a secret as a whole to the other.
        return SecretPlaces.outermost(of: places.flatMap { $0 })
    }

    /// An event with its secrets masked, by the type of the screen that takes it: also one that was refused.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - screen: The name of the screen.
    /// - Returns: The event's text; nil where the app lists no screen of this name that can decode it.
    package static func masked(event: JSONValue, of screen: String) -> [UInt8]? {
        guard let type = screens.first(where: { $0.name == screen }) else { return nil }
        return type.secretPlaces(of: event).map { event.masking($0) }
    }
}

extension JSONValue {
    /// The text with an ellipsis in the place of each secret.
    ///
    /// - Parameter ranges: Their places, in order and none in another, relative to its beginning.
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
    /// - Returns: nil for an event that does not decode.
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

    /// - Returns: nil for a step that does not decode.
    fileprivate static func secretPlaces(of step: JSONValue) -> [Range<Int>]? {
        let source = SecretSource(part: .step(0), range: step.range, input: nil, translation: nil)
        let secrets = SecretLedger()
        secrets.begin(revision: 1, isErased: false)
        guard (try? decode(step, from: source, secrets)) != nil else { return nil }
        secrets.commit(waiting: [])
        return secrets.places.ranges(in: .step(0))
    }
}
