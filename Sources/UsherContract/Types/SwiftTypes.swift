import UsherBytes
import UsherSchema

/// An app's screens and events in Swift, for clients that use the package in `Clients/Swift`.
struct SwiftTypes {
    private let app: AppSchemas
    private let names: [String: String]
    private let places: ValuesInPlace

    init(_ app: AppSchemas) {
        self.app = app
        names = ClientNames.types(
            app.types.map(\.name), reserving: Self.reserved.union([ClientNames.type(app.name)]))
        places = ValuesInPlace(of: app.types)
    }

    var text: String {
        var source = SourceText(indentation: "    ")
        source.line("// Written by `usher types \(app.name) --as swift`: what is changed here by hand is lost.")
        source.line("public import UsherClient")
        source.line("")
        source.line("/// The screens of the app `\(app.name)`, with what they show and send.")
        source.block("public enum \(ClientNames.type(app.name))") { source in
            for screen in app.screens { write(screen, into: &source) }
            for type in app.types { write(type.schema, named: type.name, into: &source) }
        }
        return source.text
    }

    private func write(_ screen: AppSchemas.ListedScreen, into source: inout SourceText) {
        source.line("/// The screen `\(screen.name)`.")
        source.block("public struct \(name(of: screen)): ScreenState") { source in
            source.line("public static let screenName = \(screen.name.swiftLiteral)")
            switch screen.event {
            case .choice(let cases) where cases.isEmpty: break
            case .choice(let cases) where cases.areSwifts: writeEnum(cases, named: "Event", into: &source)
            default: source.line("public typealias Event = JSON")
            }
            if case .object(let properties, _) = screen.state {
                writeProperties(properties, into: &source)
            } else {
                source.line("public let json: JSON")
                source.line("public init(from decoder: any Decoder) throws { json = try JSON(from: decoder) }")
            }
        }
    }

    private func name(of screen: AppSchemas.ListedScreen) -> String {
        let name = ClientNames.type(screen.name) + "Screen"
        return names.values.contains(name) ? name + "State" : name
    }

    private func write(_ schema: JSONSchema, named type: String, into source: inout SourceText) {
        let name = names[type] ?? type
        switch schema {
        case .object(let properties, _):
            source.block("public struct \(name): Codable, Hashable, Sendable") { source in
                writeProperties(properties, of: type, into: &source)
                writeInitializer(properties, of: type, into: &source)
            }
        case .choice(let cases) where cases.areSwifts:
            writeEnum(cases, named: name, isIndirect: places.holdsItself(type), into: &source)
        case .texts(let texts):
            source.block("public enum \(name): String, Codable, Hashable, Sendable") { source in
                for text in texts { source.line("case \(Self.member(text)) = \(text.swiftLiteral)") }
            }
        case .numbers(let numbers):
            source.block("public enum \(name): Int, Codable, Hashable, Sendable") { source in
                for number in numbers {
                    source.line("case \(number < 0 ? "minus" : "value")\(number.magnitude) = \(number)")
                }
            }
        default: source.line("public typealias \(name) = \(spelling(of: schema, within: type))")
        }
    }

    private func writeProperties(
        _ properties: [JSONSchema.ObjectMember], of owner: String? = nil, into source: inout SourceText
    ) {
        for property in properties {
            source.line("public let \(Self.member(property.name)): \(spelling(of: property, within: owner))")
        }
        writeKeys("CodingKeys", properties.map(\.name), into: &source)
    }

    /// Writes a public initializer, because Swift's memberwise initializer is not public.
    private func writeInitializer(
        _ properties: [JSONSchema.ObjectMember], of owner: String, into source: inout SourceText
    ) {
        let parameters = properties.map { property in
            let type = spelling(of: property, within: owner)
            return "\(Self.member(property.name)): \(type)\(type.hasSuffix("?") ? " = nil" : "")"
        }
        source.block("public init(\(parameters.joined(separator: ", ")))") { source in
            for property in properties {
                source.line("self.\(ClientNames.identifier(property.name)) = \(Self.member(property.name))")
            }
        }
    }

    private func writeEnum(
        _ cases: [JSONSchema.EnumCase], named name: String, isIndirect: Bool = false, into source: inout SourceText
    ) {
        source.block("public \(isIndirect ? "indirect " : "")enum \(name): Codable, Hashable, Sendable") { source in
            for one in cases {
                source.line("case \(Self.member(one.name))\(payload(of: one))")
            }
            writeKeys("CodingKeys", cases.map(\.name), into: &source)
            for one in cases {
                let name = ClientNames.identifier(one.name)
                let keys = "\(name.prefix(1).uppercased())\(name.dropFirst())CodingKeys"
                writeKeys(keys, one.members?.map(\.name) ?? [], into: &source)
            }
        }
    }

    private func payload(of one: JSONSchema.EnumCase) -> String {
        guard let members = one.members, !members.isEmpty else { return "" }
        let parts = members.enumerated().map { index, property in
            let type = spelling(of: property)
            return property.name == "_\(index)" ? type : "\(Self.member(property.name)): \(type)"
        }
        return "(\(parts.joined(separator: ", ")))"
    }

    /// Writes coding keys if a name is not a valid Swift identifier.
    private func writeKeys(_ name: String, _ wire: [String], into source: inout SourceText) {
        guard wire.contains(where: { ClientNames.identifier($0) != $0 }) else { return }
        source.block("private enum \(name): String, CodingKey") { source in
            for key in wire { source.line("case \(Self.member(key)) = \(key.swiftLiteral)") }
        }
    }

    private func spelling(of property: JSONSchema.ObjectMember, within owner: String? = nil) -> String {
        let type = spelling(of: property.schema, within: owner)
        return property.isRequired || type.hasSuffix("?") ? type : type + "?"
    }

    /// - Parameter owner: The struct that contains the schema; nil for a screen, or for an enum, which can be indirect.
    private func spelling(of schema: JSONSchema, within owner: String?) -> String {
        switch schema {
        case .boolean: "Bool"
        case .string, .texts: "String"
        case .integer(bits: 64, isSigned: true), .numbers: "Int"
        case .integer(let bits, let isSigned): "\(isSigned ? "" : "U")Int\(bits)"
        case .number: "Double"
        case .array(let element): "[\(spelling(of: element, within: owner))]"
        case .map(let value): "[String: \(spelling(of: value, within: owner))]"
        // A struct cannot contain itself.
        case .optional(.reference(let name)) where owner.map { places.isStruct(name, holding: $0) } ?? false: "JSON?"
        case .optional(let value): "\(spelling(of: value, within: owner))?"
        case .secret(let value): spelling(of: value, within: owner)
        case .reference(let name): names[name] ?? name
        case .anything, .tuple, .object, .choice: "JSON"
        }
    }

    /// Returns the name of a member in backticks, because it may be a keyword.
    private static func member(_ name: String) -> String {
        ClientNames.identifier(name).swiftIdentifier
    }

    /// Names that the generated code uses.
    private static let reserved: Set<String> = [
        "Bool", "Codable", "CodingKey", "CodingKeys", "Decoder", "Double", "Event", "Hashable", "Int", "Int16", "Int32",
        "Int64", "Int8", "JSON", "ScreenState", "Self", "Sendable", "String", "Type", "UInt", "UInt16", "UInt32",
        "UInt64", "UInt8",
    ]
}

/// The types that an app's types store inline, as structs and enums do, but not arrays and dictionaries.
private struct ValuesInPlace {
    private let types: [String: JSONSchema]

    init(of types: [(name: String, schema: JSONSchema)]) {
        self.types = Dictionary(types.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns `true` if a type contains itself, directly or through other types.
    func holdsItself(_ name: String) -> Bool {
        types[name].map { reached(from: $0) { _ in true }.contains(name) } ?? false
    }

    /// Returns `true` if a struct is `owner`, or contains it through structs only: an enum in between is indirect.
    func isStruct(_ name: String, holding owner: String) -> Bool {
        guard isStruct(name), isStruct(owner) else { return false }
        return name == owner || reached(from: .reference(name), through: isStruct).contains(owner)
    }

    private func isStruct(_ name: String) -> Bool {
        if case .object? = types[name] { true } else { false }
    }

    /// Returns the types that a schema contains, directly or through other types.
    private func reached(from schema: JSONSchema, through isFollowed: (String) -> Bool) -> Set<String> {
        var found: Set<String> = []
        var next = schema.namesInPlace
        while let name = next.popLast() {
            guard found.insert(name).inserted, isFollowed(name), let schema = types[name] else { continue }
            next += schema.namesInPlace
        }
        return found
    }
}

extension JSONSchema {
    /// The definitions that a Swift value stores inline.
    fileprivate var namesInPlace: [String] {
        switch self {
        case .reference(let name): [name]
        case .optional(let part), .secret(let part): part.namesInPlace
        case .object(let properties, _): properties.flatMap(\.schema.namesInPlace)
        case .choice(let cases) where cases.areSwifts: cases.flatMap(\.payload.namesInPlace)
        case .anything, .boolean, .string, .integer, .number, .texts, .numbers, .array, .map, .tuple, .choice: []
        }
    }
}

extension JSONSchema.EnumCase {
    /// The members of the payload; nil if it is not an object, which the compiler's coding never produces.
    fileprivate var members: [JSONSchema.ObjectMember]? {
        if case .object(let properties, _) = payload { properties } else { nil }
    }
}

extension [JSONSchema.EnumCase] {
    /// A Boolean value that indicates whether the compiler's coding of an enum produces these cases.
    fileprivate var areSwifts: Bool { !isEmpty && allSatisfy { $0.members != nil } }
}
