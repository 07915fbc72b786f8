/// A stream of values that may fail, for a task that awaits the values, like Swift's stream.
///
/// As with `AsyncStream`, only inputs of a session may feed a stream that was created in the session.
public struct AsyncThrowingStream<Element, Failure: Error>: AsyncSequence {
    fileprivate let base: _Concurrency.AsyncThrowingStream<Element, Failure>
    fileprivate let origin: StreamOrigin?

    /// Creates a stream that a closure feeds; the closure is called immediately with the continuation.
    public init(
        _ elementType: Element.Type = Element.self, bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded,
        file: StaticString = #fileID, line: UInt = #line, _ build: (Continuation) -> Void
    ) where Failure == any Error {
        let origin = StreamOrigin(file, line)
        base = _Concurrency.AsyncThrowingStream(elementType, bufferingPolicy: limit) {
            build(Continuation(base: $0, origin: origin))
        }
        self.origin = origin
    }

    /// Creates a stream of the values that a function returns, until it returns nil or throws.
    ///
    /// The function may only wait for something that the session can end, such as a timer or an effect of the session.
    @preconcurrency
    public init(unfolding produce: @escaping @Sendable () async throws -> Element?) where Failure == any Error {
        base = _Concurrency.AsyncThrowingStream(unfolding: produce)
        origin = nil
    }

    private init(base: _Concurrency.AsyncThrowingStream<Element, Failure>, origin: StreamOrigin?) {
        self.base = base
        self.origin = origin
    }

    /// Returns a stream, and the continuation that feeds it.
    public static func makeStream(
        of elementType: Element.Type = Element.self, throwing failureType: Failure.Type = Failure.self,
        bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded, file: StaticString = #fileID,
        line: UInt = #line
    ) -> (stream: AsyncThrowingStream<Element, Failure>, continuation: Continuation) where Failure == any Error {
        let origin = StreamOrigin(file, line)
        let (base, continuation) = _Concurrency.AsyncThrowingStream<Element, Failure>.makeStream(bufferingPolicy: limit)
        return (AsyncThrowingStream(base: base, origin: origin), Continuation(base: continuation, origin: origin))
    }

    /// Returns an iterator for a task that awaits the elements.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), origin: origin) }

    /// The elements, one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: _Concurrency.AsyncThrowingStream<Element, Failure>.Iterator
        fileprivate let origin: StreamOrigin?

        /// Waits for the next element and returns it; returns nil at the end, and in a cancelled task.
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// Waits for the next element and returns it; returns nil at the end, and in a cancelled task.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            let wait = StreamWait(origin)
            defer { wait?.end() }
            await wait?.begin()
            return try await base.next(isolation: actor)
        }
    }

    /// The object that feeds a stream.
    public struct Continuation: Sendable, Hashable {
        /// The result of adding an element.
        public typealias YieldResult = _Concurrency.AsyncThrowingStream<Element, Failure>.Continuation.YieldResult
        /// The policy that decides which elements are stored until a task awaits them.
        public typealias BufferingPolicy = _Concurrency.AsyncThrowingStream<Element, Failure>.Continuation
            .BufferingPolicy
        /// The reason why a stream has ended.
        public typealias Termination = _Concurrency.AsyncThrowingStream<Element, Failure>.Continuation.Termination

        fileprivate let base: _Concurrency.AsyncThrowingStream<Element, Failure>.Continuation
        fileprivate let origin: StreamOrigin?

        /// Adds an element, which resumes a task that awaits an element.
        @discardableResult
        public func yield(
            _ value: sending Element, file: StaticString = #fileID, line: UInt = #line
        ) -> YieldResult {
            guard origin?.allows("yield", file, line) != false else { return .terminated }
            return base.yield(value)
        }

        /// Adds a `Void` element, which resumes a task that awaits an element.
        @discardableResult
        public func yield(file: StaticString = #fileID, line: UInt = #line) -> YieldResult where Element == Void {
            yield((), file: file, line: line)
        }

        /// Adds the element of a result, or ends the stream.
        @discardableResult
        public func yield(
            with result: sending Result<Element, Failure>, file: StaticString = #fileID, line: UInt = #line
        ) -> YieldResult where Failure == any Error {
            guard origin?.allows("yield", file, line) != false else { return .terminated }
            return base.yield(with: result)
        }

        /// Ends the stream, with an error or without.
        public func finish(throwing error: Failure? = nil, file: StaticString = #fileID, line: UInt = #line) {
            guard origin?.allows("finish", file, line) != false else { return }
            base.finish(throwing: error)
        }

        /// Called when the stream has ended, or when its task was cancelled.
        public var onTermination: (@Sendable (Termination) -> Void)? {
            get { base.onTermination }
            nonmutating set { base.onTermination = newValue }
        }

        /// Returns `true` if both continuations feed the same stream.
        public static func == (left: Continuation, right: Continuation) -> Bool { left.base == right.base }

        /// Hashes the stream's identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(base) }
    }
}

extension AsyncThrowingStream: Sendable where Element: Sendable {}
