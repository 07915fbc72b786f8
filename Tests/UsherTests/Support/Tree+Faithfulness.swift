@testable import Usher

extension Tree {
    /// Whether what is kept from input to input, each stack's JSON and digest, is what it comes to when it is all made
    /// anew.
    var isFaithful: Bool {
        get throws {
            let (bytes, digest) = (stateBytes, digest)
            for stack in window.all {
                let kept = stack.json
                for index in stack.screens.indices { stack.markStale(at: index) }
                try stack.encode()
                guard stack.json == kept else { return false }
            }
            return bytes == stateBytes && digest == freshDigest && digest == self.digest
        }
    }

    private var freshDigest: UInt64 {
        var digest = Digest()
        for stack in window.all {
            for instance in stack.screens { digest.add(instance.digest) }
            digest.add(stack.rootShown.rawValue)
        }
        digest.add(window.tabBar?.selected ?? -1)
        digest.add(coordinatorsDigest)
        for work in pendingWork {
            digest.add(work.id.revision)
            digest.add(work.id.index)
            digest.add(work.name)
        }
        return digest.value
    }
}
