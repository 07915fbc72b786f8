/// An object that runs code now or later.
public protocol Scheduler<SchedulerTimeType> {
    /// The type of this scheduler's points in time.
    associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
    /// The options for code that is run.
    associatedtype SchedulerOptions

    /// The current time.
    var now: SchedulerTimeType { get }

    /// The shortest tolerance.
    var minimumTolerance: SchedulerTimeType.Stride { get }

    /// Runs code as soon as possible.
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

    /// Runs code after `date`.
    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void)

    /// Runs code after `date`, and again after each interval, until the returned object is cancelled.
    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable
}

extension Scheduler {
    /// Runs code as soon as possible.
    public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

    /// Runs code after `date`.
    public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
        schedule(after: date, tolerance: minimumTolerance, options: nil, action)
    }

    /// Runs code after `date`, and again after each interval.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
    }
}

/// An interval that can be created from units of time.
public protocol SchedulerTimeIntervalConvertible {
    /// Returns an interval of seconds.
    static func seconds(_ s: Int) -> Self
    /// Returns an interval of seconds.
    static func seconds(_ s: Double) -> Self
    /// Returns an interval of milliseconds.
    static func milliseconds(_ ms: Int) -> Self
    /// Returns an interval of microseconds.
    static func microseconds(_ us: Int) -> Self
    /// Returns an interval of nanoseconds.
    static func nanoseconds(_ ns: Int) -> Self
}

/// A point in time on the session's clock, for the queues and the run loop.
public struct SessionTime: Strideable, Hashable, Codable, Sendable {
    fileprivate let nanoseconds: Int

    fileprivate init(nanoseconds: Int) {
        self.nanoseconds = nanoseconds
    }

    /// Creates a point in time from a queue's time.
    public init(_ time: DispatchTime) {
        nanoseconds = Int(clamping: time.uptimeNanoseconds)
    }

    /// Creates a point in time from a run loop's date.
    public init(_ date: Date) {
        nanoseconds = Stride(.seconds(date.timeIntervalSince1970)).nanoseconds
    }

    /// The point in time as a queue's time.
    public var dispatchTime: DispatchTime { DispatchTime(uptimeNanoseconds: UInt64(clamping: nanoseconds)) }

    /// The point in time as a date.
    public var date: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1_000_000_000) }

    /// Returns the interval to another point in time.
    public func distance(to other: SessionTime) -> Stride {
        Stride(nanoseconds: other.nanoseconds) - Stride(nanoseconds: nanoseconds)
    }

    /// Returns the point in time after an interval.
    public func advanced(by interval: Stride) -> SessionTime {
        SessionTime(nanoseconds: (Stride(nanoseconds: nanoseconds) + interval).nanoseconds)
    }

    /// Returns a Boolean value indicating whether the left point in time is earlier.
    public static func < (left: SessionTime, right: SessionTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns a Boolean value indicating whether the two are the same point in time.
    public static func == (left: SessionTime, right: SessionTime) -> Bool { left.nanoseconds == right.nanoseconds }

    /// An interval; a number without a unit means seconds.
    public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable, Codable, Sendable,
        ExpressibleByFloatLiteral
    {
        /// The interval's length.
        public let nanoseconds: Int

        /// Creates an interval.
        public init(nanoseconds: Int) {
            self.nanoseconds = nanoseconds
        }

        /// Creates the same interval.
        public init(_ interval: Stride) {
            self = interval
        }

        /// Creates an interval of seconds.
        public init(integerLiteral value: Int) { self = .seconds(value) }

        /// Creates an interval of seconds.
        public init(floatLiteral value: Double) { self = .seconds(value) }

        /// Creates an interval of seconds.
        public init(_ interval: TimeInterval) { self = .seconds(interval) }

        /// Creates an interval of seconds; nil if the number of seconds is too large.
        public init?<Number: BinaryInteger>(exactly source: Number) {
            guard let seconds = Int(exactly: source) else { return nil }
            self = .seconds(seconds)
        }

        /// The interval without its sign.
        public var magnitude: Stride { Stride(nanoseconds: Int(clamping: nanoseconds.magnitude)) }

        /// The interval in seconds.
        public var timeInterval: TimeInterval { Double(nanoseconds) / 1_000_000_000 }

        /// Returns an interval of seconds.
        public static func seconds(_ s: Int) -> Stride { of(s, 1_000_000_000) }

        /// Returns an interval of seconds.
        public static func seconds(_ s: Double) -> Stride {
            let longest = Double(Int.max) / 2
            guard !s.isNaN else { return .zero }
            return Stride(nanoseconds: Int(min(max((s * 1_000_000_000).rounded(), -longest), longest)))
        }

        /// Returns an interval of milliseconds.
        public static func milliseconds(_ ms: Int) -> Stride { of(ms, 1_000_000) }

        /// Returns an interval of microseconds.
        public static func microseconds(_ us: Int) -> Stride { of(us, 1_000) }

        /// Returns an interval of nanoseconds.
        public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }

        /// Returns a Boolean value indicating whether the left interval is shorter.
        public static func < (left: Stride, right: Stride) -> Bool { left.nanoseconds < right.nanoseconds }

        /// Adds two intervals.
        public static func + (left: Stride, right: Stride) -> Stride {
            let (sum, isBeyond) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
            return isBeyond ? Stride(nanoseconds: right.nanoseconds < 0 ? .min : .max) : Stride(nanoseconds: sum)
        }

        /// Subtracts an interval.
        public static func - (left: Stride, right: Stride) -> Stride {
            let (rest, isBeyond) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
            return isBeyond ? Stride(nanoseconds: right.nanoseconds < 0 ? .max : .min) : Stride(nanoseconds: rest)
        }

        /// Returns an interval whose seconds are the product of the two intervals' seconds.
        public static func * (left: Stride, right: Stride) -> Stride {
            .seconds(left.timeInterval * right.timeInterval)
        }

        /// Multiplies by the seconds of an interval.
        public static func *= (left: inout Stride, right: Stride) { left = left * right }

        private static func of(_ count: Int, _ unit: Int) -> Stride {
            let (product, isBeyond) = count.multipliedReportingOverflow(by: unit)
            return Stride(nanoseconds: isBeyond ? (count < 0 ? .min : .max) : product)
        }
    }
}

/// A scheduler of the session: code runs at the end of the input, and each timer is an input.
///
/// Outside of a session, code runs on the process's threads.
public protocol SessionScheduler: Scheduler where SchedulerTimeType == SessionTime {}

extension SessionScheduler {
    /// The session's clock counts milliseconds, and needs no tolerance.
    public var minimumTolerance: SessionTime.Stride { .zero }

    /// Runs code at the end of the session's current input.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        // Safe because the session's thread runs the code.
        nonisolated(unsafe) let action = action
        DispatchQueue.main.async(execute: { unsafe action() })
    }

    /// Runs code after `date`, in a separate input.
    public func schedule(
        after date: SessionTime, tolerance: SessionTime.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        // Safe because the session's thread runs the code.
        nonisolated(unsafe) let action = action
        let seconds = now.distance(to: date).timeInterval
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: { unsafe action() })
    }

    /// Runs code after `date`, and again after each interval, each time in a separate input.
    public func schedule(
        after date: SessionTime, interval: SessionTime.Stride, tolerance: SessionTime.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        // Safe because the session's thread runs the code.
        nonisolated(unsafe) let action = action
        let first = Date(timeIntervalSinceNow: 0)
        let wait = now.distance(to: date).timeInterval
        let begin = (UIKitSession.current?.now ?? first).addingTimeInterval(wait)
        let timer = Timer(fire: begin, interval: interval.timeInterval, repeats: true) { _ in unsafe action() }
        RunLoop.main.add(timer, forMode: .common)
        return AnyCancellable { timer.invalidate() }
    }
}

extension DispatchQueue: SessionScheduler {
    /// The type of a queue's points in time.
    public typealias SchedulerTimeType = SessionTime

    /// The options, which have no effect in a session.
    public struct SchedulerOptions: Sendable {
        /// Creates options.
        public init() {}
    }

    /// The session's time.
    public var now: SessionTime { SessionTime(DispatchTime.now()) }
}

extension RunLoop: SessionScheduler {
    /// The type of a run loop's points in time.
    public typealias SchedulerTimeType = SessionTime

    /// The options, which have no effect in a session.
    public struct SchedulerOptions: Sendable {
        /// Creates options.
        public init() {}
    }

    /// The session's time.
    public var now: SessionTime { SessionTime(UIKitSession.current?.now ?? Date()) }
}

extension SessionWork: Cancellable {}

/// A scheduler that runs code immediately, whatever the time.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// The only scheduler of this kind.
    public static let shared = ImmediateScheduler()

    /// There are no options.
    public typealias SchedulerOptions = Never

    private init() {}

    /// The constant time zero.
    public var now: SessionTime { SessionTime(nanoseconds: 0) }

    /// There is no tolerance.
    public var minimumTolerance: SessionTime.Stride { .zero }

    /// Runs code.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }

    /// Runs code.
    public func schedule(
        after date: SessionTime, tolerance: SessionTime.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) { action() }

    /// Runs code once.
    public func schedule(
        after date: SessionTime, interval: SessionTime.Stride, tolerance: SessionTime.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}

/// The place in the app where a timer was begun, for leak reports.
struct Origin {
    let file: StaticString
    let line: UInt
}

extension Scheduler {
    /// Runs code once after an interval; the returned object ends the wait and releases the code.
    func once(
        after interval: SchedulerTimeType.Stride, _ options: SchedulerOptions?, at origin: Origin,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        if self is any SessionScheduler, let interval = interval as? SessionTime.Stride,
            let session = UIKitSession.current
        {
            // Safe because this is the session's thread.
            nonisolated(unsafe) let action = action
            return MainActor.assumeIsolated {
                session.after(.nanoseconds(max(0, interval.nanoseconds)), file: origin.file, line: origin.line) {
                    unsafe action()
                }
            }
        }
        var left: (() -> Void)? = action
        schedule(after: now.advanced(by: interval), tolerance: minimumTolerance, options: options) {
            let action = left
            left = nil
            action?()
        }
        return AnyCancellable { left = nil }
    }
}
