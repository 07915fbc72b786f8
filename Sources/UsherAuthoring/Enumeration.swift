/// An enumeration as its source declares it.
struct Enumeration {
    struct Case {
        let name: String
        let values: [ClassOutline.Parameter]
    }

    let name: String
    let cases: [Case]
    /// A Boolean value that indicates whether braces are around the declaration.
    let isNested: Bool
}

extension [SwiftToken] {
    /// Returns the enumerations in a range, including nested ones.
    func enumerations(in range: Range<Int>) -> [Enumeration] {
        var depth = 0
        return range.compactMap { index in
            if self[index].isMark("{") { depth += 1 }
            if self[index].isMark("}") { depth -= 1 }
            guard self[index].isName("enum"), index + 1 < range.upperBound, self[index + 1].kind == .name,
                let open = self[index..<range.upperBound].firstIndex(where: { $0.isMark("{") })
            else { return nil }
            return Enumeration(name: self[index + 1].text, cases: cases(in: open), isNested: depth > 0)
        }
    }

    private func cases(in open: Int) -> [Enumeration.Case] {
        var found: [Enumeration.Case] = []
        let end = end(ofBlockAt: open)
        var index = open + 1
        while index < end {
            if self[index].isMark("{") {
                // A member's body may contain the cases of a switch statement.
                index = self.end(ofBlockAt: index) + 1
            } else if self[index].isName("case") {
                index = readCases(after: index, upTo: end, into: &found)
            } else {
                index += 1
            }
        }
        return found
    }

    /// Reads `first, second(id: Int), third = 3`, and returns the index after it.
    private func readCases(after start: Int, upTo end: Int, into found: inout [Enumeration.Case]) -> Int {
        var place = start + 1
        while place < end, self[place].kind == .name {
            let name = self[place].text
            var values: [ClassOutline.Parameter] = []
            place += 1
            if place < end, self[place].isMark("(") {
                let close = Swift.min(self.end(ofBlockAt: place), end)
                values = self[(place + 1)..<Swift.max(place + 1, close)].split(atMark: ",").map(Self.associatedValue)
                place = close + 1
            }
            found.append(Enumeration.Case(name: name, values: values))
            // The raw value is one literal, perhaps with a sign.
            if place < end, self[place].isMark("=") { place += place + 1 < end && self[place + 1].isMark("-") ? 3 : 2 }
            guard place < end, self[place].isMark(",") else { return Swift.min(place, end) }
            place += 1
        }
        return Swift.min(place, end)
    }

    private static func associatedValue(_ part: ArraySlice<SwiftToken>) -> ClassOutline.Parameter {
        let sides = part.split(atMark: ":")
        let names = sides.count == 2 ? sides[0].filter { $0.kind == .name }.map(\.text) : []
        let type = (sides.last ?? part).prefix { !$0.isMark("=") }.source
        return ClassOutline.Parameter(
            label: names.first == "_" ? nil : names.first, name: names.last ?? "_", type: type)
    }
}
