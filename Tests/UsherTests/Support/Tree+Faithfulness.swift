@testable import Usher

extension Tree {
    /// Whether what is kept from input to input, each stack's JSON and digest, is what it comes to when it is all made
    /// anew.
    var isFaithful: Bool {
        get throws {
            let kept = (jsons: window.all.map(\.json), digest: digest)
            for stack in window.all {
                // A screen that comes on a stack is neither encoded nor digested.
                for screen in stack.removeAll().reversed() { stack.append(screen) }
                try stack.encode()
            }
            return window.all.map(\.json) == kept.jsons && digest == kept.digest
        }
    }
}
