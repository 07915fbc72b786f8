import Testing
import UsherHTTP

@Suite struct NetworkAddressTests {
    @Test(
        arguments: [
            ("192.0.2.1", 0xFFFF_C000_0201), ("0.0.0.0", 0xFFFF_0000_0000), ("255.255.255.255", 0xFFFF_FFFF_FFFF),
            ("::", 0), ("::1", 1), ("1::", 1 << 112), ("2001:DB8::1", 0x2001_0DB8 << 96 | 1),
            ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004 << 64 | 0x0005_0006_0007_0008),
            ("2001:db8:0:0:1:0:0:1", 0x2001_0DB8 << 96 | 0x0001_0000_0000_0001),
            ("1:0:2:3:4:5:6:7", 0x0001_0000_0002_0003 << 64 | 0x0004_0005_0006_0007),
            ("1:2:3:4:5:6:7::", 0x0001_0002_0003_0004 << 64 | 0x0005_0006_0007_0000),
            ("::ffff:192.0.2.1", 0xFFFF_C000_0201), ("::FFFF:c000:201", 0xFFFF_C000_0201),
            ("64:ff9b::192.0.2.33", 0x0064_FF9B << 96 | 0xC000_0221),
            ("1:2:3:4:5:6:192.0.2.1", 0x0001_0002_0003_0004 << 64 | 0x0005_0006_C000_0201),
            ("0001:0002:0003:0004:0005:0006:255.255.255.255", 0x0001_0002_0003_0004 << 64 | 0x0005_0006_FFFF_FFFF),
        ] as [(String, UInt128)])
    func `an address is parsed from each of its text forms`(text: String, bits: UInt128) {
        #expect(NetworkAddress(text)?.bits == bits)
    }

    @Test(arguments: [
        "", ".", "1", "1.2.3", "1.2.3.4.", ".1.2.3.4", "1.2.3.4.5", "1..2.3", "256.1.1.1", "01.2.3.4", "1.2.3.00",
        "0x1.2.3.4",
        "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "1.2.3.4/8", "1.2.3.4:80", "4294967296.1.1.1", ":", ":::", ":1", "1:",
        "::1:",
        "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1:2:3:4:5:6:7:8", "12345::", "g::", "::1.2.3", "1.2.3.4::",
        "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "[::1]", "fe80::1%eth0", "localhost", "::ä",
        "1.2.3.4\0", "\0", "0001:0002:0003:0004:0005:0006:255.255.255.2555",
    ])
    func `a malformed network address is refused`(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test func `an IPv4 address equals its IPv4-mapped IPv6 address`() {
        #expect(NetworkAddress("10.0.0.1") == NetworkAddress("::ffff:10.0.0.1"))
        #expect(NetworkAddress("::10.0.0.1")?.isVersion4 == false)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.5", "10.0.0.5", true),
        ("10.0.0.5", "10.0.0.4", false), ("192.0.2.128/25", "192.0.2.127", false),
        ("192.0.2.128/25", "::ffff:192.0.2.200", true),
        ("128.0.0.0/1", "200.0.0.1", true), ("128.0.0.0/1", "ffff::", false), ("fd00::/8", "fdff::1", true),
        ("fd00::/8", "fc00::1", false), ("::/1", "1::", true), ("::/1", "1.2.3.4", false), ("::1", "::1", true),
        ("::1/128", "::2", false),
    ])
    func `an address block contains only addresses of its prefix and IP version`(
        block: String, address: String, isIn: Bool
    )
        throws
    {
        #expect(try #require(AddressBlock(block)).contains(try #require(NetworkAddress(address))) == isIn)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.0/8/8", "10.0.0.0/x",
        "10.0.0.1/8", "10.0.0.0/4", "0.0.0.0/0", "::/0", "fd00::/129", "fd00::1/8", "10.0.0/8", "10.0.0.0/255.0.0.0",
        "10.0.0.0/99999999999999999999", "localhost", "*",
    ])
    func `an address block is refused if it is malformed, has bits after its prefix, or contains every address`(
        text: String
    ) {
        #expect(AddressBlock(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.9", true), ("::1", true), ("10.1.1.1", true), ("172.31.0.1", true), ("172.32.0.1", false),
        ("192.168.9.9", true), ("169.254.1.1", true), ("100.64.0.1", true), ("fe80::1", true), ("fd00::1", true),
        ("203.0.113.9", false), ("2001:db8::1", false), ("::ffff:10.0.0.1", true),
    ])
    func `loopback and private addresses are recognized as local`(address: String, isLocal: Bool) throws {
        #expect(AddressBlock.isLocal(try #require(NetworkAddress(address))) == isLocal)
    }
}
