import Combine
import Testing

/// An error of the tests.
struct Oops: Error, Equatable {
    var text = "x"
}

/// What happened in a trial, in order.
///
/// A value stands for itself, `|` for the end, `x` for an error, `?2` for a request that reached the source, `!` for a
/// cancellation that reached it. What concerns the second source ends with an apostrophe.
final class Trace {
    private(set) var words: [String] = []

    func note(_ word: String) { words.append(word) }

    var text: String { words.joined(separator: " ") }
}

/// A publisher that sends what a script says, if it was asked for.
final class Source: Publisher {
    typealias Output = String
    typealias Failure = Oops

    private let mark: String
    private let trace: Trace
    private var subscriptions: [Line] = []

    init(_ mark: String, _ trace: Trace) {
        (self.mark, self.trace) = (mark, trace)
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == Oops {
        let line = Line(AnySubscriber(subscriber), mark, trace)
        subscriptions.append(line)
        subscriber.receive(subscription: line)
    }

    func send(_ value: String) { for line in subscriptions { line.send(value) } }

    func finish(_ completion: Subscribers.Completion<Oops>) { for line in subscriptions { line.finish(completion) } }

    private final class Line: Subscription {
        private var subscriber: AnySubscriber<String, Oops>?
        private var demand = Subscribers.Demand.none
        private let mark: String
        private let trace: Trace

        init(_ subscriber: AnySubscriber<String, Oops>, _ mark: String, _ trace: Trace) {
            (self.subscriber, self.mark, self.trace) = (subscriber, mark, trace)
        }

        func request(_ more: Subscribers.Demand) {
            trace.note("?\(more.max.map { "\($0)" } ?? "∞")\(mark)")
            demand += more
        }

        func send(_ value: String) {
            guard let subscriber, demand > .none else { return }
            demand -= 1
            let more = subscriber.receive(value)
            if more > .none { request(more) }
        }

        func finish(_ completion: Subscribers.Completion<Oops>) {
            let last = subscriber
            subscriber = nil
            last?.receive(completion: completion)
        }

        func cancel() {
            guard subscriber != nil else { return }
            subscriber = nil
            trace.note("!\(mark)")
        }
    }
}

/// A subscriber that asks as a script says.
final class Probe<Failure: Error>: Subscriber {
    private let trace: Trace
    private(set) var subscription: (any Subscription)?

    init(_ trace: Trace) {
        self.trace = trace
    }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: String) -> Subscribers.Demand {
        trace.note(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: trace.note("|")
        case .failure(let failure): trace.note((failure as? Oops)?.text ?? "\(failure)")
        }
    }
}

/// An operator between one or two sources and a subscriber, driven by a script.
///
/// The words of a script: `+2` requests values, `c` cancels; all others are sent by the source, those with an apostrophe
/// by the second: `1` is a value, `|` the end, `x` an error.
final class Trial {
    let trace = Trace()
    private let first: Source
    private let second: Source
    private var request: ((Subscribers.Demand) -> Void)?
    private var cancel: (() -> Void)?

    init<P: Publisher>(_ make: (Source, Source) -> P) where P.Output == String {
        first = Source("", trace)
        second = Source("'", trace)
        let probe = Probe<P.Failure>(trace)
        make(first, second).receive(subscriber: probe)
        request = { probe.subscription?.request($0) }
        cancel = { probe.subscription?.cancel() }
    }

    func perform(_ word: String) {
        let source = word.hasSuffix("'") ? second : first
        switch word.prefix(1) {
        case "+": request?(word == "+∞" ? .unlimited : .max(Int(word.dropFirst()) ?? 0))
        case "c": cancel?()
        case "|": source.finish(.finished)
        case "x": source.finish(.failure(Oops()))
        default: source.send(word)
        }
    }

    func run(_ script: String) -> String {
        for word in script.split(separator: " ") { perform(String(word)) }
        return trace.text
    }
}
