import Usher
import UsherJSON

/// JSON as text, the way that tests write it.
enum Text {
    /// What is shown: secrets are masked.
    static func json(_ value: some Encodable) throws(JSONError) -> String {
        var writer = JSONWriter()
        try writer.encode(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// What is sent: secrets are as they are.
    static func revealingJSON(_ value: some Encodable) throws(JSONError) -> String {
        var writer = JSONWriter()
        try writer.encodeRevealingSecrets(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func string(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The name of an enum case in Swift's coding: the string, or the name of the only member.
    static func caseName(_ json: String) -> String {
        guard let value = try? JSONDocument(parsing: Array(json.utf8)).root else { return json }
        return value.string ?? value.members.first { _ in true }?.name ?? json
    }
}
