import Testing
import UsherJSON

@testable import UsherSchema

@Suite("The text of schemas")
struct SchemaTextTests {
    @Test(arguments: [
        (JSONSchema.anything, "{}"),
        (.boolean, #"{"type":"boolean"}"#),
        (.integer(bits: 8, isSigned: false), #"{"type":"integer","minimum":0,"maximum":255}"#),
        (.integer(bits: 16, isSigned: true), #"{"type":"integer","minimum":-32768,"maximum":32767}"#),
        (
            .integer(bits: 64, isSigned: true),
            #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#
        ),
        (.integer(bits: 64, isSigned: false), #"{"type":"integer","minimum":0,"maximum":18446744073709551615}"#),
        (.texts(["a", "b"]), #"{"type":"string","enum":["a","b"]}"#),
        (.numbers([1, 2]), #"{"type":"integer","enum":[1,2]}"#),
        (.array(.reference("Note")), ##"{"type":"array","items":{"$ref":"#/$defs/Note"}}"##),
        (
            .tuple([.string, .number]),
            #"{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}],"minItems":2,"maxItems":2}"#
        ),
        (.map(.boolean), #"{"type":"object","additionalProperties":{"type":"boolean"}}"#),
        (.optional(.string), #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
        (.secret(.string), #"{"type":"string","format":"password"}"#),
        (
            .object([.init("a", .string), .init("b", .optional(.boolean))], isClosed: true),
            """
            {"type":"object","properties":{"a":{"type":"string"},"b":{"type":"boolean"}},\
            "required":["a"],"additionalProperties":false}
            """
        ),
        (.object([], isClosed: false), #"{"type":"object"}"#),
        (
            .choice([.init("close"), .init("open", .object([.init("id", .string)], isClosed: true))]),
            """
            {"anyOf":[{"type":"string","enum":["close"]},\
            {"type":"object","properties":{"close":{"type":"object","additionalProperties":false}},\
            "required":["close"],"additionalProperties":false},\
            {"type":"object","properties":{"open":{"type":"object","properties":{"id":{"type":"string"}},\
            "required":["id"],"additionalProperties":false}},"required":["open"],"additionalProperties":false}]}
            """
        ),
        (.choice([]), #"{"not":{}}"#),
    ])
    func `a schema is written in the syntax of JSON Schema`(schema: JSONSchema, text: String) {
        var writer = JSONWriter()
        schema.write(into: &writer, references: "#/$defs/")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }
}
