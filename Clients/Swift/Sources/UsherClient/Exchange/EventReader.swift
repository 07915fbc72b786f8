import Foundation

struct ServerSentEvent: Equatable {
    var type: String
    var data: String
    var id: String
}

/// A parser of server-sent events (HTML, 9.2.6) that accepts pieces of any size.
struct EventReader {
    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var type = ""
    private var data: [String] = []
    private var id = ""
    /// The pause that the server requests before the next connection; zero if it requested none.
    private(set) var retry = Duration.zero

    /// Reads a piece and returns the events that are complete.
    mutating func read(_ piece: Data) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in piece {
            let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            // The second byte of a line's end.
            let isRest = byte == UInt8(ascii: "\n") && endedWithReturn
            endedWithReturn = byte == UInt8(ascii: "\r")
            if !isEnd { line.append(byte) }
            guard isEnd, !isRest else { continue }
            if let event = take(String(decoding: line, as: UTF8.self)) { events.append(event) }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    /// Reads a line; an empty line completes an event.
    private mutating func take(_ line: String) -> ServerSentEvent? {
        if line.isEmpty { return complete() }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? String(parts[1]) : ""
        if value.hasPrefix(" ") { value.removeFirst() }
        switch parts[0] {
        case "event": type = value
        case "data": data.append(value)
        case "id": id = value
        case "retry": if let pause = UInt32(value) { retry = .milliseconds(Int(pause)) }
        default: break
        }
        return nil
    }

    private mutating func complete() -> ServerSentEvent? {
        defer {
            type = ""
            data = []
        }
        if data.isEmpty { return nil }
        return ServerSentEvent(type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"), id: id)
    }
}
