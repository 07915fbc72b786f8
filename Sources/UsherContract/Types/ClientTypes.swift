package import Usher
package import UsherJSON
import UsherSchema

/// The languages in which an app's types can be written for clients.
package enum ClientLanguage: String, CaseIterable, Sendable {
    case swift
    case typescript

    /// Returns source code of an app's screens and events; throws a `JSONError` if the app's options cannot be encoded.
    package func types(of app: any App.Type) throws(JSONError) -> String {
        let schemas = try AppSchemas(app)
        return switch self {
        case .swift: SwiftTypes(schemas).text
        case .typescript: TypeScriptTypes(schemas).text
        }
    }
}

/// Converts names of the protocol to names of types and members in a client's language.
enum ClientNames {
    /// Returns a type name: `DmList` for `dm-list`, `Login` for `login`.
    static func type(_ name: String) -> String {
        let words = name.split { !isLetterOrNumber($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return identifier(words.joined())
    }

    /// Returns a name of letters, digits and `_` that does not start with a digit.
    static func identifier(_ name: String) -> String {
        let text = String(name.map { isLetterOrNumber($0) || $0 == "_" ? $0 : "_" })
        return text.first.map { $0.isNumber } ?? true ? "_" + text : text
    }

    /// Returns the names of an app's types in a client's language, by their names in the app, without reserved names.
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

/// Source code as lines with indentation.
struct SourceText {
    private(set) var lines: [String] = []
    private var depth = 0
    private let indentation: String

    init(indentation: String) {
        self.indentation = indentation
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func line(_ line: String) {
        lines.append(line.isEmpty ? "" : String(repeating: indentation, count: depth) + line)
    }

    mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }
}
