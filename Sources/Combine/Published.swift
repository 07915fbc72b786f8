import UsherReflection

/// A property of a class that publishes each new value before the value is stored.
@propertyWrapper
public struct Published<Value> {
    private var storage: Storage

    /// Creates the property with its first value.
    public init(wrappedValue: Value) {
        storage = Storage(wrappedValue)
    }

    /// Creates the property with its first value.
    public init(initialValue: Value) {
        storage = Storage(initialValue)
    }

    /// The value.
    public var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.set(newValue) }
    }

    /// The publisher of the values, which sends the current value first.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        set { storage = newValue.storage }
    }

    /// The publisher of a property.
    public struct Publisher: Combine.Publisher {
        /// The type of the property.
        public typealias Output = Value
        /// A property cannot fail.
        public typealias Failure = Never

        let storage: Storage

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.subscribers.attach(subscriber)
        }
    }

    final class Storage {
        private(set) var value: Value
        private var broadcast: Broadcast<Value, Never>?
        private var sources: [AnyCancellable] = []
        fileprivate var willChange: ObservableObjectPublisher?

        init(_ value: Value) {
            self.value = value
        }

        func set(_ value: Value) {
            willChange?.send()
            broadcast?.send(value)
            self.value = value
        }

        var subscribers: Broadcast<Value, Never> {
            if let broadcast { return broadcast }
            let made = Broadcast<Value, Never>(value)
            broadcast = made
            return made
        }

        /// Assigns a publisher's values to the property until the property is released.
        func follow<P: Combine.Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
            let cancellable = publisher.sink { [weak self] in self?.set($0) }
            sources.append(cancellable)
        }
    }
}

/// An object whose publisher sends before the object changes.
public protocol ObservableObject: AnyObject {
    /// The type of the publisher.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// The publisher that sends before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// The publisher that sends before one of the object's `@Published` properties changes.
    ///
    /// If the object has no such properties, each read returns a new publisher, as on a phone.
    public var objectWillChange: ObservableObjectPublisher {
        var properties: [any ObservedProperty] = []
        ObjectGraphSearch().visit(from: self) { value, _ in
            if let property = value as? any ObservedProperty { properties.append(property) }
            return .pass
        }
        let publisher = properties.lazy.compactMap(\.willChange).first ?? ObservableObjectPublisher()
        for property in properties { property.observe(publisher) }
        return publisher
    }
}

/// A `@Published` property of any type.
private protocol ObservedProperty {
    var willChange: ObservableObjectPublisher? { get }
    func observe(_ publisher: ObservableObjectPublisher)
}

extension Published: ObservedProperty {
    fileprivate var willChange: ObservableObjectPublisher? { storage.willChange }

    fileprivate func observe(_ publisher: ObservableObjectPublisher) { storage.willChange = publisher }
}

/// A publisher that sends when an object is about to change.
public final class ObservableObjectPublisher: Publisher {
    /// No value, because the object has not changed yet.
    public typealias Output = Void
    /// The publisher cannot fail.
    public typealias Failure = Never

    private let broadcast = Broadcast<Void, Never>()

    /// Creates a publisher.
    public init() {}

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        broadcast.attach(subscriber)
    }

    /// Notifies the subscribers that the object is about to change.
    public func send() { broadcast.send(()) }
}
