/// A response in the form in which it was received.
public struct RawResponse: Sendable {
    /// The three digits of the status line.
    public var status: Int
    /// The names and values, in the order in which they were sent.
    public var headers: [(name: String, value: String)]
    /// The content, joined from its chunks.
    public var body: [UInt8]

    /// The first value of a name, without regard to case.
    public subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The content as UTF-8.
    public var text: String { String(decoding: body, as: UTF8.self) }

    init(head: String) throws(ClientError) {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw .malformed(head)
        }
        self.status = status
        body = []
        headers = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed(String(line)) }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append((String(line[..<colon]), String(value)))
        }
    }
}
