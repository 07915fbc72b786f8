import Usher
import UsherJSON
import UsherSessions

/// Does what comes into its head with a session: events of the visible screen, of others and of none, gestures, tabs,
/// links, and garbage.
struct Wanderer {
    private var random: Dice
    private let links: [String]

    /// - Parameters:
    ///   - seed: The same seed does the same.
    ///   - app: What it knows of the app beforehand.
    init(seed: UInt64, app: any App.Type) throws {
        random = Dice(state: seed)
        var writer = JSONWriter()
        try app.describe(into: &writer)
        let flows = try JSONDocument(parsing: writer.bytes).root[member: "flows"]
        links =
            flows?.members.flatMap { _, cases in
                cases.members.map { name, payload in "{\"\(name)\":\(Self.text(payload))}" }
            } ?? []
    }

    /// The next thing to do, as a client would send it.
    mutating func action(on state: JSONValue) -> String {
        let stack = state[member: "stack"].map { Array($0.elements) } ?? []
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: return event(of: stack.last)
        case 60..<66: return #"{"screen":\#(id(in: stack)),"event":"\#(word)"}"#
        case 66..<74: return #"{"back":true}"#
        case 74..<79: return #"{"popped":\#(id(in: stack))}"#
        case 79..<84: return #"{"dismissed":\#(id(in: stack))}"#
        case 84..<91: return #"{"select":"\#(tab(of: state))"}"#
        case 91..<96: return #"{"open":[\#(link)]}"#
        default: return garbage
        }
    }

    /// An event that the visible screen takes, with its example for a payload, or one of another screen's id.
    private mutating func event(of visible: JSONValue?) -> String {
        let events =
            visible?[member: "events"]?.members.map { ($0.name, Self.text($0.value).replacing("…", with: "usher")) }
            ?? []
        guard let (name, payload) = events.randomElement(using: &random) else { return #"{"event":"\#(word)"}"# }
        let screen = Bool.random(using: &random) ? #""screen":\#(visible?[member: "id"]?.integer ?? 0),"# : ""
        return #"{\#(screen)"event":{"\#(name)":\#(payload)}}"#
    }

    private mutating func id(in stack: [JSONValue]) -> Int {
        let ids = stack.compactMap { $0[member: "id"]?.integer }
        return (ids + [(ids.max() ?? 1) + 3, Int.random(in: -1...20, using: &random)]).randomElement(using: &random)
            ?? 0
    }

    private mutating func tab(of state: JSONValue) -> String {
        let names = state[member: "tabs"]?[member: "names"]?.elements.compactMap(\.string) ?? []
        return (names + ["nowhere"]).randomElement(using: &random) ?? ""
    }

    private var link: String {
        mutating get {
            let count = Int.random(in: 1...3, using: &random)
            return (0..<count).map { _ in links.randomElement(using: &random) ?? #""nowhere""# }.joined(separator: ",")
        }
    }

    private var word: String {
        mutating get { ["close", "back", "login", "startApp", "done", "ü\\u0000"].randomElement(using: &random) ?? "" }
    }

    private var garbage: String {
        mutating get {
            [
                "", "{", "[]", #"{"event":{}}"#, #"{"screen":1e9,"event":"x"}"#, #"{"popped":99999999999}"#,
                #"{"event":{"login":{"name":5}}}"#, #"{"open":[]}"#, #"{"back":true,"back":true}"#, "nul",
            ].randomElement(using: &random) ?? ""
        }
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: value.bytes, as: UTF8.self)
    }

    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
        }
    }
}
