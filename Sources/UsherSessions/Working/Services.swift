import Synchronization
import Usher

/// What the apps' effects work with: made once an app, when it is first needed.
final class Services: Sendable {
    private let made = Mutex<[String: any Sendable]>([:])

    /// The services of an app.
    ///
    /// - Throws: What the app's `services()` throws; it is asked again the next time.
    func services(of app: any App.Type) throws -> any Sendable {
        if let services = made.withLock({ $0[app.name] }) { return services }
        let services = try app.erasedServices()
        return made.withLock { made in
            let first = made[app.name] ?? services
            made[app.name] = first
            return first
        }
    }
}

extension App {
    fileprivate static func erasedServices() throws -> any Sendable { try services() }
}
