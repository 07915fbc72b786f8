import Synchronization

/// The descriptions of all screen types that this process has shown.
///
/// Generic types have no static stored properties, so the table stands outside of them.
final class ScreenDescriptions: Sendable {
    static let shared = ScreenDescriptions()

    private let table = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// The description of a screen type; made outside the lock, for an author's `examples` may do anything.
    func description<S: Screen>(
        of type: S.Type, make: () -> ScreenDescription<S>
    ) -> ScreenDescription<S> {
        let key = ObjectIdentifier(type)
        if let known = table.withLock({ $0[key] }) as? ScreenDescription<S> { return known }
        let made = make()
        table.withLock { $0[key] = made }
        return made
    }
}
