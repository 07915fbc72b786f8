extension Subscribers {
    /// A subscriber that asks for all values, and calls closures.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private let inlet: Inlet<Input, Failure>

        /// Creates one of closures.
        ///
        /// - Parameters:
        ///   - receiveCompletion: Called with the completion.
        ///   - receiveValue: Called with each value.
        public init(
            receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
        ) {
            inlet = Inlet(
                { value in
                    receiveValue(value)
                    return .none
                }, end: receiveCompletion)
            inlet.request(.unlimited)
        }

        /// Requests all values.
        public func receive(subscription: any Subscription) { inlet.receive(subscription: subscription) }

        /// Calls the closure.
        public func receive(_ input: Input) -> Demand { inlet.receive(input) }

        /// Calls the closure.
        public func receive(completion: Completion<Failure>) { inlet.receive(completion: completion) }

        /// Ends the subscription, and releases the closures.
        public func cancel() { inlet.cancel() }
    }

    /// A subscriber that assigns each value to a property of an object, which it keeps until the end.
    public final class Assign<Root, Input>: Subscriber, Cancellable {
        /// Such a subscriber cannot receive an error.
        public typealias Failure = Never

        private let inlet: Inlet<Input, Never>

        /// Creates one of an object and its property.
        public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            inlet = Inlet({ value in
                object[keyPath: keyPath] = value
                return .none
            })
            inlet.request(.unlimited)
        }

        /// Requests all values.
        public func receive(subscription: any Subscription) { inlet.receive(subscription: subscription) }

        /// Assigns the value.
        public func receive(_ value: Input) -> Demand { inlet.receive(value) }

        /// Releases the object.
        public func receive(completion: Completion<Never>) { inlet.receive(completion: completion) }

        /// Ends the subscription, and releases the object.
        public func cancel() { inlet.cancel() }
    }
}

extension Publisher {
    /// Calls closures with all values and the completion.
    ///
    /// - Returns: Ends the subscription when it is cancelled or released.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        receive(subscriber: sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Calls a closure with all values.
    ///
    /// - Returns: Ends the subscription when it is cancelled or released.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Assigns all values to a property of an object, which is kept until the end.
    ///
    /// - Returns: Ends the subscription when it is cancelled or released.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        let assign = Subscribers.Assign(object: object, keyPath: keyPath)
        receive(subscriber: assign)
        return AnyCancellable(assign)
    }

    /// Assigns all values to a published property, for as long as its object lives.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.storage.follow(self)
    }
}
