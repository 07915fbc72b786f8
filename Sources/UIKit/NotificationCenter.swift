/// The notification centre of a session, which delivers notifications synchronously and in the observers' order.
///
/// This class is a subclass of Foundation's class, so that a file that imports only Foundation can receive an instance.
/// Foundation's methods cannot be overridden. The methods here are more specific, so the compiler prefers them; calls
/// that reach Foundation's methods are forwarded.
///
/// Unchecked, because only code that handles the session's input uses this object, while the session's lock is held.
public final class NotificationCenter: Foundation.NotificationCenter, @unchecked Sendable {
    private var observations: [Observation] = []

    private final class Observation: NSObject {
        weak var observer: AnyObject?
        let name: Notification.Name?
        private weak var sender: AnyObject?
        private let isOfAnySender: Bool
        private var receive: ((AnyObject, Notification) -> Void)?

        init(
            _ observer: AnyObject?, _ name: Notification.Name?, _ sender: AnyObject?,
            _ receive: @escaping (AnyObject, Notification) -> Void
        ) {
            self.observer = observer
            self.name = name
            self.sender = sender
            isOfAnySender = sender == nil
            self.receive = receive
        }

        func hears(_ notification: Notification) -> Bool {
            guard name == nil || name == notification.name else { return false }
            return isOfAnySender || sender === notification.object as AnyObject?
        }

        func deliver(_ notification: Notification) {
            if let observer { receive?(observer, notification) }
        }

        /// Releases the closure, because the app may retain the token, which retains this object.
        func end() { _ = take(&receive, leaving: nil) }
    }

    /// The centre of the session whose input is being handled; outside of a session, a new centre.
    public override class var `default`: NotificationCenter {
        UIKitSession.ofGlobals?.notificationCenter ?? NotificationCenter()
    }

    /// Creates a centre.
    public required init() {
        super.init()
        _ = super.addObserver(forName: nil, object: nil, queue: nil) { [weak self] in self?.deliver($0) }
    }

    /// Calls a method of an observer while the observer exists.
    public func addObserver(_ observer: Any, selector: Selector, name: Notification.Name?, object: Any?) {
        add(observer as AnyObject, name, object) { observer, notification in
            // Safe because a session posts on its main thread.
            nonisolated(unsafe) let (observer, notification) = (observer, notification)
            MainActor.assumeIsolated { unsafe selector.perform(on: observer, notification) }
        }
    }

    /// Calls a method of an observer, given as `Type.method` instead of a selector, while the observer exists.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, selector: @escaping @MainActor (Observer) -> @MainActor (Notification) -> Void,
        name: Notification.Name?, object: Any?
    ) {
        add(observer, name, object) { object, notification in
            // Safe because a session posts on its main thread.
            nonisolated(unsafe) let (observer, notification) = (object as? Observer, notification)
            MainActor.assumeIsolated {
                if let observer = unsafe observer { selector(observer)(unsafe notification) }
            }
        }
    }

    /// Calls a method without a parameter.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, selector: @escaping @MainActor (Observer) -> @MainActor () -> Void,
        name: Notification.Name?, object: Any?
    ) {
        add(observer, name, object) { object, _ in
            // Safe because a session posts on its main thread.
            nonisolated(unsafe) let observer = object as? Observer
            MainActor.assumeIsolated {
                if let observer = unsafe observer { selector(observer)() }
            }
        }
    }

    /// Calls a closure until the returned token is removed.
    public func addObserver(
        forName name: Notification.Name, object: Any?, queue: OperationQueue?,
        using block: @escaping (Notification) -> Void
    ) -> any NSObjectProtocol {
        let observation = Observation(nil, name, object as AnyObject?) { _, notification in block(notification) }
        observation.observer = observation
        observations.append(observation)
        return observation
    }

    /// Removes all registrations of an observer.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer) {
        observations.removeAll { $0.observer === observer || $0.observer == nil }
    }

    /// Removes the registration of a token.
    public func removeObserver(_ token: any NSObjectProtocol) {
        for observation in observations where observation === token { observation.end() }
        observations.removeAll { $0.observer === token || $0.observer == nil }
    }

    /// Removes an observer's registrations for a name.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer, name: Notification.Name?, object: Any?) {
        observations.removeAll { $0.observer === observer && (name == nil || $0.name == name) }
    }

    /// Posts a notification to all observers.
    public func post<Object: AnyObject>(
        name: Notification.Name, object: Object, userInfo: [AnyHashable: Any]? = nil
    ) {
        deliver(Notification(name: name, object: object, userInfo: userInfo))
    }

    func forgetAll() {
        for observation in take(&observations, leaving: []) { observation.end() }
    }

    private func deliver(_ notification: Notification) {
        for observation in observations where observation.hears(notification) { observation.deliver(notification) }
    }

    private func add(
        _ observer: AnyObject, _ name: Notification.Name?, _ sender: Any?,
        _ receive: @escaping (AnyObject, Notification) -> Void
    ) {
        observations.removeAll { $0.observer == nil }
        observations.append(Observation(observer, name, sender as AnyObject?, receive))
    }
}
