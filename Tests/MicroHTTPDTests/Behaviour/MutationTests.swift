import LocalhostClient
import MicroHTTPD
import SeededRandom
import Testing

/// Tests that the daemon survives requests with random mistakes, which are the same in each run.
@Suite(.timeLimit(.minutes(5))) struct MutationTests {
    private static let valid = [
        "GET /sessions/1?x=y HTTP/1.1\r\nHost: a:80\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n",
        "POST /sessions/1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"back\":true}",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3;x=y\r\nyou\r\n0\r\nT: x\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
        "PUT http://a/%C3%A4/%2F HTTP/1.0\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab",
    ]

    @Test(arguments: 0..<8)
    func `mutated requests do not harm the daemon`(seed: Int) async throws {
        var configuration = DaemonConfiguration.test
        configuration.deadlines.grace = .milliseconds(50)
        try await serving(configuration) { port throws in
            var random = SplitMix64(seed: UInt64(seed))
            for round in 0..<200 {
                let message = Mutation.applied(to: Array(Self.valid[round % Self.valid.count].utf8), &random)
                let connection = try RawConnection(port: port)
                try? connection.send(message)
                connection.finishSending()
            }
            #expect(try answer(to: "GET /after HTTP/1.1\r\nHost: a\r\n\r\n", port: port).text == "GET\n/after\n-\na\n")
        }
    }
}

/// The kinds of mistakes in a message.
private enum Mutation: CaseIterable {
    case flip, insert, remove, repeatPart, cut, special

    /// Returns a message with one to four mistakes.
    static func applied(to message: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var mutated = message
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let mutation = allCases.randomElement(using: &random) ?? .flip
            mutation.apply(to: &mutated, &random)
        }
        return mutated
    }

    private static let specials: [String] = [
        "\r\n", "\n", "\r", "\0", ":", " ", "\t", "%00", "%", "..", "\\", "0", "-1", "99999999999999999999", "chunked",
        "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "\u{7F}", "ÿ", "HTTP/1.1",
    ]

    private func apply(to message: inout [UInt8], _ random: inout SplitMix64) {
        guard !message.isEmpty else { return }
        let place = Int.random(in: 0..<message.count, using: &random)
        let end = min(message.count, place + Int.random(in: 1...20, using: &random))
        switch self {
        case .flip: message[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .insert: message.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case .remove: message.removeSubrange(place..<end)
        case .repeatPart: message.insert(contentsOf: message[place..<end], at: place)
        case .cut: message.removeSubrange(place...)
        case .special: message.insert(contentsOf: (Self.specials.randomElement(using: &random) ?? "").utf8, at: place)
        }
    }
}
