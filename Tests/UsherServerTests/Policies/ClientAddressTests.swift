import Testing
import UsherHTTP

@testable import UsherServer

@Suite("The address of a client")
struct ClientAddressTests {
    private let proxies = TrustedProxies(["10.0.0.0/8", "fd00::/8"].compactMap { AddressBlock($0) })

    private func client(_ fields: HeaderFields, from peer: String? = "10.0.0.1") -> NetworkAddress? {
        var request = Request(headers: fields)
        request.peer = peer.flatMap { NetworkAddress($0) }
        return proxies.client(of: request)
    }

    @Test func `without a trusted proxy, a client's address is the connection's address, whatever the header says`() {
        let fields: HeaderFields = ["X-Forwarded-For": "192.0.2.1", "Forwarded": "for=192.0.2.1"]
        #expect(client(fields, from: "203.0.113.9") == NetworkAddress("203.0.113.9"))
        #expect(client(fields, from: "127.0.0.1") == NetworkAddress("127.0.0.1"), "loopback is not trusted by itself")
        #expect(client(fields, from: "192.168.0.1") == NetworkAddress("192.168.0.1"), "nor is a private network")
        #expect(client([:]) == NetworkAddress("10.0.0.1"))
        #expect(client(fields, from: nil) == nil)
    }

    @Test(arguments: [
        (["192.0.2.1"], "192.0.2.1"), (["192.0.2.1:4711"], "192.0.2.1"), (["2001:db8::1"], "2001:db8::1"),
        (["[2001:db8::1]"], "2001:db8::1"), (["[2001:db8::1]:80"], "2001:db8::1"),
        (["1.1.1.1 ,\t192.0.2.1"], "192.0.2.1"),
        // From right to left, skipping trusted addresses.
        (["192.0.2.1, 10.0.0.2"], "192.0.2.1"), (["1.1.1.1,192.0.2.1,10.0.0.2 , fd00::3"], "192.0.2.1"),
        (["192.0.2.1, 198.51.100.2"], "198.51.100.2"), (["10.0.0.9, 10.0.0.2"], "10.0.0.9"),
        (["10.0.0.9, 192.0.2.1, 10.0.0.2"], "192.0.2.1"), (["::ffff:192.0.2.1"], "192.0.2.1"),
        // Several fields form one list.
        (["1.1.1.1", "192.0.2.1"], "192.0.2.1"), (["192.0.2.1", "10.0.0.2"], "192.0.2.1"),
        (["192.0.2.1", ""], "192.0.2.1"),
        (["192.0.2.1, ,10.0.0.2,"], "192.0.2.1"),
        // If a proxy's entry cannot be parsed, the last trusted proxy before it counts as the client.
        (["unknown"], "10.0.0.1"), (["192.0.2.1, unknown"], "10.0.0.1"), (["192.0.2.1, x, 10.0.0.2"], "10.0.0.2"),
        (["x, 192.0.2.1"], "192.0.2.1"), ([""], "10.0.0.1"), ([","], "10.0.0.1"), (["192.0.2.1;10.0.0.2"], "10.0.0.1"),
        (["192.0.2.01"], "10.0.0.1"), (["192.0.2.1:"], "10.0.0.1"), (["192.0.2.1:x"], "10.0.0.1"),
        (["192.0.2.1:123456"], "10.0.0.1"), (["[2001:db8::1"], "10.0.0.1"), (["[2001:db8::1]x"], "10.0.0.1"),
        (["\"192.0.2.1\""], "10.0.0.1"), (["localhost"], "10.0.0.1"), (["fe80::1%eth0"], "10.0.0.1"),
    ])
    func `behind a trusted proxy, the client's address is taken from X-Forwarded-For`(lines: [String], expected: String)
    {
        var fields = HeaderFields()
        for line in lines { fields.append(name: "x-forwarded-for", value: line) }
        #expect(client(fields) == NetworkAddress(expected))
    }

    @Test(arguments: [
        (["for=192.0.2.1"], "192.0.2.1"), (["FOR=192.0.2.1;proto=http;by=10.0.0.1"], "192.0.2.1"),
        (["proto=https ; for=192.0.2.1"], "192.0.2.1"), (["for=\"192.0.2.1:80\""], "192.0.2.1"),
        (["for=\"[2001:db8::1]:4711\""], "2001:db8::1"), (["for=\"[2001:db8::1]\""], "2001:db8::1"),
        (["for=192.0.2.1, for=10.0.0.2"], "192.0.2.1"), (["for=1.1.1.1", "for=192.0.2.1"], "192.0.2.1"),
        (["host=\"a,b;for=6.6.6.6\";for=192.0.2.1"], "192.0.2.1"),
        (["host=\"\\\",for=6.6.6.6\", for=192.0.2.1"], "192.0.2.1"),
        ([";for=192.0.2.1;,"], "192.0.2.1"),
        (["for=unknown"], "10.0.0.1"), (["for=_hidden"], "10.0.0.1"), (["for=\"_hidden:_port\""], "10.0.0.1"),
        (["for=192.0.2.1, proto=http"], "10.0.0.1"), (["for=192.0.2.1, for=unknown, for=10.0.0.2"], "10.0.0.2"),
        (["for=unknown, for=192.0.2.1"], "192.0.2.1"),
        // A malformed field names no client, because it is unknown where its next entry begins.
        (["for=\", for=192.0.2.1"], "10.0.0.1"), (["for=192.0.2.1;for=6.6.6.6"], "10.0.0.1"), (["for"], "10.0.0.1"),
        (["for="], "10.0.0.1"), (["for =192.0.2.1"], "10.0.0.1"), (["for= 192.0.2.1"], "10.0.0.1"),
        (["for=[2001:db8::1]"], "10.0.0.1"), (["192.0.2.1"], "10.0.0.1"), (["for=192.0.2.1 for=6.6.6.6"], "10.0.0.1"),
        (["for=\"192.0.2.1\\"], "10.0.0.1"), (["for=\"\\192.0.2.1\""], "10.0.0.1"), (["@, for=192.0.2.1"], "10.0.0.1"),
        (["for=\"", "for=192.0.2.1"], "192.0.2.1"),
    ])
    func `behind a trusted proxy, the client's address is taken from Forwarded`(lines: [String], expected: String) {
        var fields = HeaderFields()
        for line in lines { fields.append(name: "Forwarded", value: line) }
        #expect(client(fields) == NetworkAddress(expected))
    }

    @Test func `if the two forwarding fields differ, neither is trusted`() {
        #expect(client(["Forwarded": "for=192.0.2.1", "X-Forwarded-For": "192.0.2.1"]) == NetworkAddress("192.0.2.1"))
        #expect(client(["Forwarded": "for=6.6.6.6", "X-Forwarded-For": "192.0.2.1"]) == NetworkAddress("10.0.0.1"))
        #expect(client(["Forwarded": "for=unknown", "X-Forwarded-For": "192.0.2.1"]) == NetworkAddress("10.0.0.1"))
        #expect(client(["Forwarded": "for=192.0.2.1", "X-Forwarded-For": ""]) == NetworkAddress("10.0.0.1"))
    }

    @Test func `a request with a forwarding field has passed through a proxy`() {
        let request = Request(headers: ["X-Forwarded-For": "192.0.2.1"])
        #expect(TrustedProxies.wasForwarded(request))
        #expect(!TrustedProxies.wasForwarded(Request()))
    }
}
