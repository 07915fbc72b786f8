extension Publisher {
    /// Calls closures with all values and the completion, until the returned object is cancelled or released.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let inlet = Inlet<Output, Failure>(
            { value in
                receiveValue(value)
                return .none
            }, end: receiveCompletion)
        inlet.request(.unlimited)
        receive(subscriber: inlet)
        return AnyCancellable(inlet)
    }
}

extension Publisher where Failure == Never {
    /// Calls a closure with all values, until the returned object is cancelled or released.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Assigns all values to a property of an object, which is retained until the subscription ends.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Assigns all values to a published property, for as long as the property's object exists.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.storage.follow(self)
    }
}
