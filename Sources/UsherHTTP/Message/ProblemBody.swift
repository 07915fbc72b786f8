/// A small JSON object, written member by member.
struct ProblemBody {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    mutating func string(_ name: String, _ value: String) {
        key(name)
        quoted(value)
    }

    mutating func raw(_ name: String, _ json: [UInt8]) {
        key(name)
        bytes.append(contentsOf: json)
    }

    consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private mutating func key(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        quoted(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 { escaped(byte) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0..<0x20: bytes += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        default: bytes.append(byte)
        }
    }
}
