/// The coding path of the value that was started last in an unfinished JSON text.
///
/// The path is derived from the text, so encoding need not track a path, which only an error needs.
struct PartialPath {
    private enum Step {
        case object(name: Range<Int>?)
        case array(index: Int)
    }

    private let text: ArraySlice<UInt8>
    private var steps: [Step] = []

    init(of text: ArraySlice<UInt8>) {
        self.text = text
        var position = text.startIndex
        while position < text.endIndex { read(&position) }
    }

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
        case ASCII.openBrace: steps.append(.object(name: nil))
        case ASCII.openBracket: steps.append(.array(index: 0))
        case ASCII.closeBrace, ASCII.closeBracket: _ = steps.popLast()
        case ASCII.comma: passComma()
        case ASCII.quote: passString(from: start, &position)
        default: break
        }
    }

    private mutating func passComma() {
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
        }
    }
}
