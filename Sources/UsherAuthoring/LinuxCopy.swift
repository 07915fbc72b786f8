/// A copy of an app's Swift file that compiles without the Objective-C runtime, with the same lines.
///
/// `@objc` and similar attributes become spaces. `#selector(save(_:))` in a class `Editor` becomes UIKit's
/// `Selector("save", { (target: Editor) in target.save(_:) })`.
package struct LinuxCopy: Sendable {
    /// Code that needs Objective-C and has no counterpart.
    package struct Fault: Equatable, Sendable, CustomStringConvertible {
        /// The code, such as `#selector`.
        package let name: String
        package let file: String
        /// The line, from 1.
        package let line: Int
        /// The column in bytes, from 1.
        package let column: Int
        /// What is wrong, and what to write instead.
        package let text: String

        /// The fault in the form of the compiler's errors.
        package var description: String { "\(file):\(line):\(column): error: \(text)" }
    }

    /// The copy; its first line makes the compiler name the original in messages.
    package let contents: [UInt8]
    /// The code that needs Objective-C, but that the copy leaves unchanged.
    package let faults: [Fault]

    init(of path: String, _ bytes: [UInt8], _ source: SwiftSource, _ properties: DeclaredProperties) {
        let tokens = source.onLinux.tokens
        let places = BytePlaces(bytes)
        var search = ObjectiveCSearch(tokens, TypeScope.all(in: tokens), properties, places)
        search.read()
        faults = search.faults.map { fault in
            Fault(
                name: fault.name, file: path, line: fault.token.line, column: fault.token.column, text: fault.text)
        }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = Self.applying(search.edits, to: bytes)
        contents = Self.header(path) + body.dropFirst(body.starts(with: byteOrderMark) ? 3 : 0)
    }

    /// Returns the line that names the original; nothing if the path has characters that the line cannot express.
    private static func header(_ path: String) -> [UInt8] {
        let isPlain = path.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isPlain ? Array("#sourceLocation(file: \"\(path)\", line: 1)\n".utf8) : []
    }

    /// Replaces ranges of a file, which are in order, and keeps the line breaks in them.
    private static func applying(_ edits: [SourceEdit], to bytes: [UInt8]) -> [UInt8] {
        var copy: [UInt8] = []
        var end = 0
        for edit in edits where edit.range.lowerBound >= end {
            copy += bytes[end..<edit.range.lowerBound]
            copy += Array(edit.text.utf8)
            copy += bytes[edit.range].filter { $0 == UInt8(ascii: "\n") }
            end = edit.range.upperBound
        }
        return copy + bytes[end...]
    }
}

/// A replacement of some bytes of a file.
struct SourceEdit {
    let range: Range<Int>
    let text: String
}

/// The offsets of a file's lines.
struct BytePlaces {
    private var starts = [0]
    private let count: Int

    init(_ bytes: [UInt8]) {
        count = bytes.count
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
    }

    func offset(of token: SwiftToken) -> Int { min(starts[token.line - 1] + token.column - 1, count) }

    /// Returns the offset after a token that is no literal and has no backticks.
    func end(of token: SwiftToken) -> Int { min(offset(of: token) + token.text.utf8.count, count) }
}

/// The body of a type or of an extension.
struct TypeScope {
    /// The name, such as `Cell`, or `List.Cell` for an extension of a nested type.
    let name: String
    let body: Range<Int>

    private static let keywords: Set<String> = ["actor", "class", "enum", "extension", "protocol", "struct"]
    /// The words after `class` that begin no class.
    private static let memberWords: Set<String> = ["func", "init", "let", "override", "subscript", "var"]

    /// Returns the scopes of a file, outer scopes first.
    static func all(in tokens: [SwiftToken]) -> [TypeScope] {
        tokens.indices.compactMap { TypeScope(tokens, at: $0) }
    }

    private init?(_ tokens: [SwiftToken], at index: Int) {
        guard tokens[index].kind == .name, Self.keywords.contains(tokens[index].text), index + 1 < tokens.count,
            index == 0 || !tokens[index - 1].isMark(".") && !tokens[index - 1].isMark(":"),
            tokens[index + 1].kind == .name, !Self.memberWords.contains(tokens[index + 1].text),
            let open = tokens[index...].firstIndex(where: { $0.isMark("{") })
        else { return nil }
        var name = tokens[index + 1].text
        var place = index + 2
        while place + 1 < open, tokens[place].isMark("."), tokens[place + 1].kind == .name {
            name += ".\(tokens[place + 1].text)"
            place += 2
        }
        self.name = name
        body = open + 1..<max(open + 1, tokens.end(ofBlockAt: open))
    }
}

/// The properties of an app's types that are declared with the name of a type.
struct DeclaredProperties {
    private var types: [String: [String: String]] = [:]

    init(in sources: [SwiftSource]) {
        for outline in sources.flatMap({ ClassOutline.all(in: $0) }) {
            for property in outline.properties { types[outline.name, default: [:]][property.name] = property.type }
        }
    }

    /// Returns the type of a property without marks of optionals; nil if it is not known.
    func type(of property: String, in owner: String) -> String? {
        guard var type = types[owner]?[property] else { return nil }
        while let last = type.last, last == "?" || last == "!" { type.removeLast() }
        return type.isEmpty || type.utf8.contains(UInt8(ascii: "(")) ? nil : type
    }
}

extension SourceFiles {
    /// Returns the copies of `paths`, or of all files, that compile without the Objective-C runtime, by path.
    package func linuxCopies(of paths: Set<String>? = nil) -> [String: LinuxCopy] {
        let properties = DeclaredProperties(in: Array(sources.values))
        var copies: [String: LinuxCopy] = [:]
        for (path, source) in sources where paths?.contains(path) != false {
            guard let bytes = contents[path] else { continue }
            copies[path] = LinuxCopy(of: path, bytes, source, properties)
        }
        return copies
    }
}
