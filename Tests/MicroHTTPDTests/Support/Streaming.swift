import LocalhostClient
import Testing

/// A request that has no body.
func get(_ path: String = "/") -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
}

extension RawConnection {
    /// A connection on which a `Broadcast` has begun to stream.
    static func streaming(port: Int) throws -> RawConnection {
        let connection = try RawConnection(port: port)
        try connection.send(get())
        #expect(try connection.readInterim().status == 200)
        #expect(try connection.readEvent() == ["first"])
        return connection
    }
}
