import Foundation
import Testing

@testable import UsherClient

struct EventReaderTests {
    private static let text =
        ": quiet\r\nid: 3\r\nevent: state\r\ndata: {\"ä\":\r\ndata: 1}\r\n\r\nretry: 1500\n"
        + "event: end\rdata: {}\n\ndata\n\nevent: none\n\n"

    @Test("events are the same however the bytes are divided", arguments: [1, 2, 3, 5, 7, 1_000])
    func cuts(size: Int) {
        let bytes = Array(Self.text.utf8)
        var reader = EventReader()
        var events: [ServerSentEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += reader.read(Data(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(
            events == [
                ServerSentEvent(type: "state", data: "{\"ä\":\n1}", id: "3"),
                ServerSentEvent(type: "end", data: "{}", id: "3"), ServerSentEvent(type: "message", data: "", id: "3"),
            ])
        #expect(reader.retry == .milliseconds(1_500))
    }
}
