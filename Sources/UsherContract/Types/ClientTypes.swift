package import Usher
package import UsherJSON
import UsherSchema

/// The languages that an app's types are written in for clients.
package enum ClientLanguage: String, CaseIterable, Sendable {
    case swift
    case typescript

    /// Writes the types of an app's screens and events.
    ///
    /// - Throws: `JSONError` when its options do not encode.
    package func types(of app: any App.Type) throws(JSONError) -> String {
        let schemas = try AppSchemas(app)
        return switch self {
        case .swift: SwiftTypes(schemas).text
        case .typescript: TypeScriptTypes(schemas).text
        }
    }
}

/// The names of types and members in a client's language, made from those on the wire.
enum ClientNames {
    /// `dm-list` is `DmList`, `login` is `Login`.
    static func type(_ name: String) -> String {
        let words = name.split { !isLetterOrNumber($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return identifier(words.joined())
    }

    /// A name of nothing but letters, digits and `_`, which does not begin with a digit.
    static func identifier(_ name: String) -> String {
        let text = String(name.map { isLetterOrNumber($0) || $0 == "_" ? $0 : "_" })
        return text.first.map { $0.isNumber } ?? true ? "_" + text : text
    }

    /// The names of an app's types in a client's language, by those that they have in the app.
    ///
    /// - Parameters:
    ///   - types: The names in the app.
    ///   - reserved: Names that mean something else there.
    static func types(_ types: [String], reserving reserved: Set<String>) -> [String: String] {
        var taken = reserved.union(types)
        return Dictionary(
            types.map { type in
                guard reserved.contains(type) else { return (type, type) }
                var name = type + "Value"
                while !taken.insert(name).inserted { name += "Value" }
                return (type, name)
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func isLetterOrNumber(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
    }
}

/// A text of lines, indented by how deep they stand.
struct SourceText {
    private(set) var lines: [String] = []
    private var depth = 0
    private let indentation: String

    init(indentation: String) {
        self.indentation = indentation
    }

    /// All lines, each with its end but the last.
    var text: String { lines.joined(separator: "\n") }

    mutating func line(_ line: String) {
        lines.append(line.isEmpty ? "" : String(repeating: indentation, count: depth) + line)
    }

    /// Appends a block in braces.
    mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }
}
