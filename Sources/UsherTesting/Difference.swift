/// Two texts, shown one below the other, with marks below the difference.
struct Difference: CustomStringConvertible {
    private let labels: (String, String)
    private let expected: [Character]
    private let found: [Character]

    /// The number of equal characters that are shown on each side of a difference.
    private static let context = 40
    /// The maximum number of a difference's characters that are shown.
    private static let longest = 160

    init(labels: (String, String) = ("expected", "found"), expected: String, found: String) {
        self.labels = labels
        self.expected = Array(expected)
        self.found = Array(found)
    }

    var description: String {
        let prefix = zip(expected, found).prefix { $0 == $1 }.count
        let rest = min(expected.count, found.count) - prefix
        let suffix = zip(expected.reversed(), found.reversed()).prefix { $0 == $1 }.count
        let alike = min(suffix, rest)
        return [(labels.0, expected), (labels.1, found)]
            .map { Self.lines($0, $1, differing: prefix..<($1.count - alike)) }
            .joined(separator: "\n")
    }

    /// Returns a text without the parts that are far from a range, with a line of marks below the range.
    private static func lines(_ label: String, _ text: [Character], differing range: Range<Int>) -> String {
        let start = max(0, range.lowerBound - context)
        let end = min(text.count, min(range.upperBound, range.lowerBound + longest) + context)
        let head = start > 0 ? "…" : ""
        let tail = end < text.count ? "…" : ""
        let label = label + String(repeating: " ", count: max(1, 10 - label.count))
        let indent = String(repeating: " ", count: label.count + head.count + range.lowerBound - start)
        let marks = String(repeating: "^", count: max(1, min(range.count, end - range.lowerBound)))
        return "\(label)\(head)\(String(text[start..<end]))\(tail)\n\(indent)\(marks)"
    }
}
