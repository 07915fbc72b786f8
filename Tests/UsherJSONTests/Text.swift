import Testing
import UsherJSON

/// Parses a text.
func parse(_ text: String) throws(JSONError) -> JSONValue {
    try JSONDocument(parsing: Array(text.utf8)).root
}

/// Decodes a text.
func decode<Value: Decodable>(_ type: Value.Type = Value.self, _ text: String) throws(JSONError) -> Value {
    try parse(text).decode(type)
}

/// Encodes a value, as text.
func encode(_ value: some Encodable) throws(JSONError) -> String {
    var writer = JSONWriter()
    try writer.encode(value)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// Returns the description of the error that the closure throws, or "no error".
func sentence<Value>(_ body: () throws(JSONError) -> Value) -> String {
    do throws(JSONError) {
        _ = try body()
        return "no error"
    } catch {
        return error.description
    }
}
