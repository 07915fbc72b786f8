/// The notification centre of a session: what is posted in it is heard in it alone, at once, in the observers' order.
///
/// A subclass of Foundation's for the reason that `UserDefaults` is one. Foundation's methods cannot be overridden, so
/// those here fit their arguments better; what reaches Foundation's all the same is passed on.
///
/// Unchecked because only code of its session's input reaches it, under that session's lock.
public final class NotificationCenter: Foundation.NotificationCenter, @unchecked Sendable {
    private var observations: [Observation] = []

    /// One observer's interest.
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

        /// Releases the closure, because the app may keep the token, and the token keeps this object.
        func end() { _ = take(&receive, leaving: nil) }
    }

    /// The centre of the session whose input is handled; outside of one, a centre that nobody else has.
    public override class var `default`: NotificationCenter {
        UIKitSession.current?.notificationCenter ?? NotificationCenter()
    }

    /// Makes a centre of its own.
    public required init() {
        super.init()
        _ = super.addObserver(forName: nil, object: nil, queue: nil) { [weak self] in self?.deliver($0) }
    }

    /// Calls a method of an observer, given as `Type.method` in place of a selector; no longer than the observer lives.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, selector: @escaping @MainActor (Observer) -> @MainActor (Notification) -> Void,
        name: Notification.Name?, object: Any?
    ) {
        add(observer, name, object) { object, notification in
            // Because a session posts on its main thread.
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
            // Because a session posts on its main thread.
            nonisolated(unsafe) let observer = object as? Observer
            MainActor.assumeIsolated {
                if let observer = unsafe observer { selector(observer)() }
            }
        }
    }

    /// Runs a closure, until the token is removed.
    ///
    /// - Returns: The token.
    public func addObserver(
        forName name: Notification.Name, object: Any?, queue: OperationQueue?,
        using block: @escaping (Notification) -> Void
    ) -> any NSObjectProtocol {
        let observation = Observation(nil, name, object as AnyObject?) { _, notification in block(notification) }
        observation.observer = observation
        observations.append(observation)
        return observation
    }

    /// Ends all that an observer hears.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer) {
        observations.removeAll { $0.observer === observer || $0.observer == nil }
    }

    /// Ends what the closure of a token hears.
    public func removeObserver(_ token: any NSObjectProtocol) {
        for observation in observations where observation === token { observation.end() }
        observations.removeAll { $0.observer === token || $0.observer == nil }
    }

    /// Ends what an observer hears of a name.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer, name: Notification.Name?, object: Any?) {
        observations.removeAll { $0.observer === observer && (name == nil || $0.name == name) }
    }

    /// Tells all who want to hear of it.
    public func post<Object: AnyObject>(
        name: Notification.Name, object: Object, userInfo: [AnyHashable: Any]? = nil
    ) {
        deliver(Notification(name: name, object: object, userInfo: userInfo))
    }

    /// Lets go of all observers, at the end of the session.
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
