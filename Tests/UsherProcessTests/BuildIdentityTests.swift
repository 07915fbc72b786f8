import Programs
import Testing

@testable import UsherProcess

@Suite("The identity of a build")
struct BuildIdentityTests {
    @Test func `the current build's identity is the digest of its executable`() {
        #expect(BuildIdentity.digest(of: "/proc/self/exe") == BuildIdentity.current)
        #expect(BuildIdentity.current == BuildIdentity.current)
    }

    @Test func `changing any byte of the file, or its length, changes the digest`() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<70_001).map { UInt8(truncatingIfNeeded: $0) }
        try folder.write(bytes, to: "first")
        var digests: Set<UInt64?> = [BuildIdentity.digest(of: folder("first"))]
        for position in [0, 7, 8, 65_535, 65_536, 70_000] {
            var changed = bytes
            changed[position] ^= 1
            try folder.write(changed, to: "changed")
            digests.insert(BuildIdentity.digest(of: folder("changed")))
        }
        for count in [0, 1, 65_536, 70_000] {
            try folder.write(Array(bytes.prefix(count)), to: "shorter")
            digests.insert(BuildIdentity.digest(of: folder("shorter")))
        }
        #expect(digests.count == 11)
        #expect(!digests.contains(nil))
    }

    @Test func `a file that cannot be read has no digest`() throws {
        let folder = try TemporaryFolder()
        #expect(BuildIdentity.digest(of: folder("none")) == nil)
    }
}
