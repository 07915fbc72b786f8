import LocalhostClient
import Programs
import Testing

/// Tests that proxies do not delay, compress or cache streams and responses.
@Suite("Streams and answers through compressing and caching proxies", .blocking, .timeLimit(.minutes(5)))
struct ProxyStreamTests {
    @Test(arguments: Proxy.allCases, [Proxy.Setting.plain, .compressing])
    func `a stream arrives event by event, and ends with the members of the 410 answer`(
        proxy: Proxy, setting: Proxy.Setting
    ) throws {
        try proxy.serve(setting) { client throws in
            let path = try client.open()
            let stream = try Program(client.command("\(path)/stream", ["Accept-Encoding: gzip"], ["--no-buffer"]))
            // No proxy delays a state until more bytes come.
            let first = stream.readEvent()
            #expect(first.contains { $0.lowercased().hasPrefix("cache-control: no-store, no-transform") })
            #expect(!first.contains { $0.lowercased().hasPrefix("content-encoding") })
            #expect(first.suffix(3).first == "id: 1")
            #expect(first.last?.contains(#""revision":1"#) == true)
            #expect(try client.send("\(path)/events", ProxyClient.json, body: #"{"event":"bye"}"#).status == 200)
            #expect(stream.readEvent().suffix(3).first == "id: 2")
            #expect(try client.send(path, method: "DELETE").status == 204)
            #expect(stream.finish().output.contains("event: end\ndata: {\"reason\":\"deleted\""))
        }
    }

    @Test(arguments: Proxy.allCases)
    func `a client resumes a stream with the last event id that it received`(proxy: Proxy) throws {
        try proxy.serve { client throws in
            let path = try client.open()
            for event in ["bye", "hello", "bye"] {
                #expect(
                    try client.send("\(path)/events", ProxyClient.json, body: #"{"event":"\#(event)"}"#).status == 200)
            }
            let late = try Program(client.command("\(path)/stream", ["Last-Event-ID: 2"], ["--no-buffer"]))
            #expect(late.readEvent().suffix(2) == ["event: gap", "data: {}"])
            #expect(late.readEvent().suffix(3).prefix(2) == ["id: 4", "event: state"])
            #expect(try client.send(path, method: "DELETE").status == 204)
            _ = late.finish()
        }
    }

    @Test(arguments: Proxy.allCases)
    func `if a compressing proxy weakens the entity tag, a condition with the strong tag still matches`(proxy: Proxy)
        throws
    {
        try proxy.serve(.compressing) { client throws in
            let path = try client.open()
            let answer = try client.send(path, ["Accept-Encoding: gzip"])
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(answer["ETag"] == #"W/"1""#)
            #expect(try client.send(path, [#"If-None-Match: W/"1""#]).status == 304)
            #expect(try client.send(path, [#"If-Match: W/"1""#], method: "DELETE").status == 412)
            #expect(try client.send(path, [#"If-Match: "1""#], method: "DELETE").status == 204)
        }
    }

    @Test func `a cache that stores every answer that it may store contains no session's answer and no refusal`() throws
    {
        try Proxy.nginx.serve(.caching) { client throws in
            let path = try client.open()
            let unknown = "/sessions/\(String(repeating: "0", count: 32))"
            func expectFresh(_ path: String, _ status: Int) throws {
                for _ in 0..<2 {
                    let answer = try client.send(path)
                    #expect(answer.status == status)
                    #expect(answer["X-Cache"] == "MISS", "\(path)")
                }
            }
            for (path, status) in [(path, 200), (unknown, 403), ("\(unknown)/stream", 403), ("/nowhere", 404)] {
                try expectFresh(path, status)
            }
            #expect(try client.send(path, method: "DELETE").status == 204)
            try expectFresh(path, 410)
            // The proxy does cache other responses.
            #expect(try client.send("/healthz")["X-Cache"] == "HIT")
        }
    }
}
