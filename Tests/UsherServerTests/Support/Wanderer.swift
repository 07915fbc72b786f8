import UsherJSON

/// A user who sends random inputs, most of which the state offers.
struct Wanderer {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Returns the body of the next input.
    mutating func input(for answer: Answer) -> String {
        let stack = answer["stack"].map { Array($0.elements) } ?? []
        let ids = stack.compactMap { $0[member: "id"]?.integer }
        switch next(8) {
        case 0: return #"{"back":true}"#
        case 1: return #"{"popped":\#(pick(ids) ?? 1)}"#
        case 2: return #"{"dismissed":\#(pick(ids) ?? 1)}"#
        case 3:
            let tabs = answer["tabs", "names"]?.elements.compactMap(\.string) ?? []
            return #"{"select":"\#(pick(tabs) ?? "none")"}"#
        default:
            let events = stack.last?[member: "events"]?.members.map { $0 } ?? []
            guard let event = pick(events) else { return #"{"back":true}"# }
            let screen = ids.last.map { #""screen":\#($0),"# } ?? ""
            return #"{\#(screen)"event":{"\#(event.name)":\#(event.value.text)}}"#
        }
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[next(elements.count)]
    }

    private mutating func next(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }
}
