@_exported public import UIKit

/// A source of values over time, which ends with a completion or never.
public protocol Publisher<Output, Failure> {
    /// The type of the values.
    associatedtype Output
    /// The type of the errors; `Never` if the publisher cannot fail.
    associatedtype Failure: Error

    /// Attaches a subscriber, which receives a subscription first.
    ///
    /// Publishers implement this method; callers use `subscribe(_:)`.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
    /// Attaches a subscriber.
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }

    /// Attaches a subject, which sends everything that it receives, until the returned object is cancelled or released.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
        let relay = Relay(subject)
        receive(subscriber: relay)
        return AnyCancellable(relay)
    }

    /// Returns the publisher without its type.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher that is composed of other publishers.
public protocol CompositePublisher: Publisher where Output == Body.Output, Failure == Body.Failure {
    /// The type of the publisher that subscribers are attached to.
    associatedtype Body: Publisher

    /// The publisher that subscribers are attached to.
    var body: Body { get }
}

extension CompositePublisher {
    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        body.receive(subscriber: subscriber)
    }
}

/// A receiver of a publisher's values, which requests as many values as it can handle.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// The type of the values.
    associatedtype Input
    /// The type of the errors.
    associatedtype Failure: Error

    /// Called first, with the subscription by which values are requested.
    func receive(subscription: any Subscription)

    /// Called with a value; returns the number of further values that the subscriber requests.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Called with the completion, after which no value follows.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    /// Receives the value.
    public func receive() -> Subscribers.Demand { receive(()) }
}

/// A subscriber's connection to a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Requests further values, in addition to earlier requests.
    func request(_ demand: Subscribers.Demand)
}

/// A publisher whose values are sent by calls of `send`.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to the subscribers.
    func send(_ value: Output)

    /// Sends a completion to the subscribers, which then receive nothing more.
    func send(completion: Subscribers.Completion<Failure>)

    /// Passes a subscription to this subject, which requests and sends the values of another publisher.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Sends the value.
    public func send() { send(()) }
}

/// An activity that can be cancelled.
public protocol Cancellable {
    /// Cancels the activity.
    func cancel()
}

extension Cancellable {
    /// Stores this object in a set; the activity is cancelled when the set releases the object.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self as? AnyCancellable ?? AnyCancellable(self))
    }

    /// Stores this object in a collection; the activity is cancelled when the collection releases the object.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self as? AnyCancellable ?? AnyCancellable(self))
    }
}

/// An object that cancels an activity when `cancel` is called or the object is released.
public final class AnyCancellable: Cancellable, Hashable {
    private var end: (() -> Void)?

    /// Creates an object whose `cancel` calls a closure, at most once.
    public init(_ cancel: @escaping () -> Void) {
        end = cancel
    }

    /// Creates an object whose `cancel` cancels another object.
    public init<C: Cancellable>(_ canceller: C) {
        end = { canceller.cancel() }
    }

    deinit { end?() }

    /// Cancels the activity.
    public func cancel() {
        let end = end
        self.end = nil
        end?()
    }

    /// Returns a Boolean value indicating whether the two values are the same object.
    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The identity of a subscriber or a subscription.
public struct CombineIdentifier: Hashable, CustomStringConvertible {
    private final class Token {}

    private let identifier: ObjectIdentifier
    private let token: Token?

    /// Creates a new identity.
    public init() {
        let token = Token()
        (identifier, self.token) = (ObjectIdentifier(token), token)
    }

    /// Creates the identity of an object.
    public init(_ object: AnyObject) {
        (identifier, token) = (ObjectIdentifier(object), nil)
    }

    /// Returns a Boolean value indicating whether both identities are the same.
    public static func == (left: CombineIdentifier, right: CombineIdentifier) -> Bool {
        left.identifier == right.identifier
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    /// The identity as text.
    public var description: String { "\(identifier)" }
}

/// A type whose values have an identity.
public protocol CustomCombineIdentifierConvertible {
    /// The identity.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The object's identity.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
