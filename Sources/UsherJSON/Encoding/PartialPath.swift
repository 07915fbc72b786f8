/// The way from the root of a JSON text that is still being written to its end.
struct PartialPath {
    private enum Step {
        case object(name: Range<Int>?)
        case array(index: Int)
    }

    private let text: ArraySlice<UInt8>
    private var steps: [Step] = []
    /// Whether a value of the innermost container has just ended.
    private var isAfterValue = false

    init(of text: ArraySlice<UInt8>) {
        self.text = text
        var position = text.startIndex
        while position < text.endIndex { read(&position) }
        if isAfterValue { passComma() }
    }

    /// The names and indices.
    var keys: [PathKey] {
        steps.compactMap { step in
            switch step {
            case .object(let name): name.map(key)
            case .array(let index): PathKey(intValue: index)
            }
        }
    }

    private func key(_ name: Range<Int>) -> PathKey {
        let string = (try? JSONDocument(parsing: Array(text[name])))?.root.string
        return PathKey(stringValue: string ?? "")
    }

    private mutating func read(_ position: inout Int) {
        let start = position
        position += 1
        switch text[start] {
        case ASCII.openBrace: begin(.object(name: nil))
        case ASCII.openBracket: begin(.array(index: 0))
        case ASCII.closeBrace, ASCII.closeBracket:
            steps.removeLast(steps.isEmpty ? 0 : 1)
            isAfterValue = true
        case ASCII.comma: passComma()
        case ASCII.colon: isAfterValue = false
        case ASCII.quote: passString(from: start, &position)
        default: isAfterValue = true
        }
    }

    private mutating func begin(_ step: Step) {
        steps.append(step)
        isAfterValue = false
    }

    private mutating func passComma() {
        isAfterValue = false
        switch steps.popLast() {
        case .object?: steps.append(.object(name: nil))
        case .array(let index)?: steps.append(.array(index: index + 1))
        case nil: break
        }
    }

    private mutating func passString(from start: Int, _ position: inout Int) {
        while position < text.endIndex, text[position] != ASCII.quote {
            position += text[position] == ASCII.backslash ? 2 : 1
        }
        position += 1
        if case .object(nil)? = steps.last {
            steps[steps.count - 1] = .object(name: start..<min(position, text.endIndex))
        } else {
            isAfterValue = true
        }
    }
}
