@testable import Usher

extension Tree {
    /// Whether each stack's stored JSON and digest are equal to those that are computed from the beginning.
    var isFaithful: Bool {
        get throws {
            let kept = (jsons: window.all.map(\.json), digest: digest)
            for stack in window.all {
                // A screen that was just added to a stack is neither encoded nor digested.
                for screen in stack.removeAll().reversed() { stack.append(screen) }
                try stack.encode()
            }
            return window.all.map(\.json) == kept.jsons && digest == kept.digest
        }
    }
}
