import Testing
import UsherJSON

@testable import UsherSchema

@Suite("Schemas of types")
struct RecordedTypeTests {
    private struct Note: Codable {
        var id: Int
        var text: String
        var tags: [String]
        var pinned: Bool?
        var weight: Double
    }

    @Test func `the schema of a struct is a closed object whose optional members may be absent`() {
        #expect(
            schema(of: Note.self)
                == .object(
                    [
                        .init("id", .integer(bits: 64, isSigned: true)), .init("text", .string),
                        .init("tags", .array(.string)), .init("pinned", .optional(.boolean)), .init("weight", .number),
                    ], isClosed: true))
    }

    private struct Renamed: Codable {
        var count: UInt8
        private enum CodingKeys: String, CodingKey { case count = "how_many" }
    }

    @Test func `each member in a schema has the name of the property's coding key`() {
        #expect(
            schema(of: Renamed.self)
                == .object([.init("how_many", .integer(bits: 8, isSigned: false))], isClosed: true))
    }

    private enum Event: Codable {
        case close
        case open(id: Int, note: String?)
        case numbered(Int)
        private enum CodingKeys: String, CodingKey { case close, open = "open_it", numbered }
    }

    @Test func `the schema of an enum is a choice between its cases, each with its payload`() {
        #expect(
            schema(of: Event.self)
                == .choice([
                    .init("close"),
                    .init(
                        "open_it",
                        .object(
                            [.init("id", .integer(bits: 64, isSigned: true)), .init("note", .optional(.string))],
                            isClosed: true)),
                    .init("numbered", .object([.init("_0", .integer(bits: 64, isSigned: true))], isClosed: true)),
                ]))
    }

    private enum Plain: Codable { case one, two }
    private enum Only: Codable, CaseIterable { case one }
    private enum Word: String, Codable { case one, two = "zwei" }
    private enum Level: Int, Codable { case low = -1, high = 7 }

    @Test func `the schema of an enum without payloads is a list of its values`() {
        #expect(schema(of: Plain.self) == .choice([.init("one"), .init("two")]))
        #expect(schema(of: Only.self) == .choice([.init("one")]))
        #expect(schema(of: Word.self) == .texts(["one", "zwei"]))
        #expect(schema(of: Level.self) == .numbers([-1, 7]))
        #expect(schema(of: Never.self) == .choice([]))
    }

    private struct Folder: Codable {
        var name: String
        var parent: [Folder]
        var newest: Note?
        var oldest: Note
    }

    @Test func `nested types become named definitions, which may refer to themselves`() {
        let recorder = SchemaRecorder()
        let schema = recorder.schema(of: Folder.self)
        let folder = JSONSchema.object(
            [
                .init("name", .string), .init("parent", .array(.reference("Folder"))),
                .init("newest", .optional(.reference("Note"))), .init("oldest", .reference("Note")),
            ], isClosed: true)
        #expect(schema == folder)
        #expect(recorder.definitions.map(\.name) == ["Note", "Folder"])
        #expect(recorder.resolved(.reference("Folder")) == folder)
    }

    private indirect enum Term: Codable {
        case sum(Term, Term)
        case number(Int)
    }

    @Test func `the schema of an enum is complete, even if a case contains the enum itself`() {
        let recorder = SchemaRecorder()
        let number = JSONSchema.object([.init("_0", .integer(bits: 64, isSigned: true))], isClosed: true)
        let sum = JSONSchema.object([.init("_0", .reference("Term")), .init("_1", .reference("Term"))], isClosed: true)
        #expect(recorder.schema(of: Term.self) == .choice([.init("sum", sum), .init("number", number)]))
    }

    private struct Celsius: Codable {
        var degrees: Double
        init(from decoder: any Decoder) throws { degrees = try decoder.singleValueContainer().decode(Double.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(degrees)
        }
    }

    @Test func `a type that is encoded as one value of another type has that type's schema`() {
        #expect(schema(of: Celsius.self) == .number)
        #expect(schema(of: [String: Celsius].self) == .map(.number))
        #expect(schema(of: [Int: Int8].self) == .map(.integer(bits: 8, isSigned: true)))
        #expect(schema(of: Int?.self) == .optional(.integer(bits: 64, isSigned: true)))
        #expect(schema(of: Set<Word>.self) == .array(.reference("Word")))
        #expect(
            schema(of: Duration.self)
                == .tuple([.integer(bits: 64, isSigned: true), .integer(bits: 64, isSigned: false)]))
    }

    /// A type that rejects empty texts.
    private struct Address: Decodable {
        var mail: String
        var name: String
        private enum CodingKeys: CodingKey { case mail, name }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            mail = try container.decode(String.self, forKey: .mail)
            guard !mail.isEmpty else { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")) }
            name = try container.decodeIfPresent(String.self, forKey: .name) ?? mail
        }
    }

    /// A type that rejects everything.
    private struct Impossible: Decodable {
        var first: Int
        var second: String

        private enum CodingKeys: CodingKey { case first, second }

        init(from decoder: any Decoder) throws {
            first = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .first)
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
        }
    }

    @Test func `if a type validates its values, several values are tried to find its schema`() {
        #expect(
            schema(of: Address.self)
                == .object([.init("mail", .string), .init("name", .optional(.string))], isClosed: true))
    }

    @Test func `if decoding a type always fails, the type's stored properties complete its schema`() {
        #expect(
            schema(of: Impossible.self)
                == .object(
                    [.init("first", .integer(bits: 64, isSigned: true)), .init("second", .string)], isClosed: false))
    }

    private struct Shown: Encodable {
        let notes: [Note]
        var mood: Plain?
    }

    private class Kept: Encodable {}

    @Test func `the schema of a type that is only Encodable comes from its stored properties`() {
        let recorder = SchemaRecorder()
        #expect(
            recorder.schema(of: Shown.self)
                == .object(
                    [.init("notes", .array(.reference("Note"))), .init("mood", .optional(.reference("Plain")))],
                    isClosed: false))
        #expect(schema(of: Kept.self) == .anything)
        #expect(schema(of: (Int, Int).self) == .anything)
    }

    private struct Empty: Codable {}

    @Test func `the schema of a type without properties is an empty object`() {
        #expect(schema(of: Empty.self) == .object([], isClosed: true))
    }

    private enum Inner {
        struct Note: Codable { var other: Bool }
    }
    private struct Both: Codable {
        var first: Note
        var second: Inner.Note
    }

    @Test func `two types with the same name get different names in the schema`() {
        let recorder = SchemaRecorder()
        _ = recorder.schema(of: Both.self)
        #expect(recorder.definitions.map(\.name) == ["Note", "Note2"])
    }

    private func schema(of type: Any.Type) -> JSONSchema { SchemaRecorder().schema(of: type) }
}
