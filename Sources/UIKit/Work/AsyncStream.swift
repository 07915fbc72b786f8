/// A stream of values for a task that awaits the values, like Swift's stream.
///
/// In a session, only inputs of the session may feed a stream that was created in the session, so that a replay feeds
/// the stream at the same point. If other code feeds the stream, nothing is added, and the input fails with the file
/// and line of the call. Apart from this check, the stream behaves like Swift's stream.
public struct AsyncStream<Element>: AsyncSequence {
    /// The stream never fails.
    public typealias Failure = Never

    fileprivate let base: _Concurrency.AsyncStream<Element>
    fileprivate let origin: StreamOrigin?

    /// Creates a stream that a closure feeds; the closure is called immediately with the continuation.
    public init(
        _ elementType: Element.Type = Element.self, bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded,
        file: StaticString = #fileID, line: UInt = #line, _ build: (Continuation) -> Void
    ) {
        let origin = StreamOrigin(file, line)
        base = _Concurrency.AsyncStream(elementType, bufferingPolicy: limit) {
            build(Continuation(base: $0, origin: origin))
        }
        self.origin = origin
    }

    /// Creates a stream of the values that a function returns, until it returns nil.
    ///
    /// The function may only wait for something that the session can end, such as a timer or an effect of the session.
    @preconcurrency
    public init(unfolding produce: @escaping @Sendable () async -> Element?, onCancel: (@Sendable () -> Void)? = nil) {
        base = _Concurrency.AsyncStream(unfolding: produce, onCancel: onCancel)
        origin = nil
    }

    private init(base: _Concurrency.AsyncStream<Element>, origin: StreamOrigin?) {
        self.base = base
        self.origin = origin
    }

    /// Returns a stream, and the continuation that feeds it.
    public static func makeStream(
        of elementType: Element.Type = Element.self,
        bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded, file: StaticString = #fileID,
        line: UInt = #line
    ) -> (stream: AsyncStream<Element>, continuation: Continuation) {
        let origin = StreamOrigin(file, line)
        let (base, continuation) = _Concurrency.AsyncStream<Element>.makeStream(bufferingPolicy: limit)
        return (AsyncStream(base: base, origin: origin), Continuation(base: continuation, origin: origin))
    }

    /// Returns an iterator for a task that awaits the elements.
    public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), origin: origin) }

    /// The elements, one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: _Concurrency.AsyncStream<Element>.Iterator
        fileprivate let origin: StreamOrigin?

        /// Waits for the next element and returns it; returns nil at the end, and in a cancelled task.
        public mutating func next() async -> Element? { await next(isolation: nil) }

        /// Waits for the next element and returns it; returns nil at the end, and in a cancelled task.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            let wait = StreamWait(origin)
            defer { wait?.end() }
            await wait?.begin()
            return await base.next(isolation: actor)
        }
    }

    /// The object that feeds a stream.
    public struct Continuation: Sendable, Hashable {
        /// The result of adding an element.
        public typealias YieldResult = _Concurrency.AsyncStream<Element>.Continuation.YieldResult
        /// The policy that decides which elements are stored until a task awaits them.
        public typealias BufferingPolicy = _Concurrency.AsyncStream<Element>.Continuation.BufferingPolicy
        /// The reason why a stream has ended.
        public typealias Termination = _Concurrency.AsyncStream<Element>.Continuation.Termination

        fileprivate let base: _Concurrency.AsyncStream<Element>.Continuation
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
        ) -> YieldResult {
            guard origin?.allows("yield", file, line) != false else { return .terminated }
            return base.yield(with: result)
        }

        /// Ends the stream.
        public func finish(file: StaticString = #fileID, line: UInt = #line) {
            guard origin?.allows("finish", file, line) != false else { return }
            base.finish()
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

extension AsyncStream: Sendable where Element: Sendable {}
