import Testing

@testable import UsherProcess

@Suite("Private files")
struct PrivateFileTests {
    @Test(arguments: [
        (0o600, false, false, false), (0o400, false, false, false), (0o640, true, false, false),
        (0o660, true, true, false),
        (0o610, true, false, false), (0o440, true, false, false), (0o604, true, true, true), (0o602, true, true, true),
        (0o601, true, true, true), (0o644, true, true, true),
    ])
    func `a private file is accessible only by its owner, or by root's group if root owns it`(
        mode: Int, own: Bool, rootsOwn: Bool, forGroup: Bool
    ) {
        let mode = UInt32(mode)
        #expect(PrivateFile.isShared(mode, isOwn: true, isForGroup: false) == own)
        #expect(PrivateFile.isShared(mode, isOwn: false, isForGroup: false) == rootsOwn)
        #expect(PrivateFile.isShared(mode, isOwn: true, isForGroup: true) == forGroup)
    }
}
