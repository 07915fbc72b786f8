import Combine
import Testing

/// Subjects, `@Published` and the publishers that need no upstream.
///
/// The sources are the types' pages below developer.apple.com/documentation/combine.
@Suite
struct SubjectTests {
    @Test func `a PassthroughSubject sends the requested number of values, and drops all further values`() {
        let (trace, subject) = (Trace(), PassthroughSubject<String, Oops>())
        let probe = Probe<Oops>(trace)
        subject.send("0")
        subject.subscribe(probe)
        subject.send("1")
        probe.subscription?.request(.max(1))
        subject.send("2")
        subject.send("3")
        subject.send(completion: .failure(Oops()))
        subject.send("4")
        #expect(trace.text == "2 x")
    }

    @Test func `a subject that has ended sends its completion to a late subscriber`() {
        let (trace, subject) = (Trace(), CurrentValueSubject<String, Oops>("1"))
        subject.send(completion: .finished)
        subject.send("2")
        subject.subscribe(Probe<Oops>(trace))
        #expect(trace.text == "|")
        #expect(subject.value == "1")
    }

    @Test func `a CurrentValueSubject sends its value first, and its newest value at the next request`() {
        let (trace, subject) = (Trace(), CurrentValueSubject<String, Never>("1"))
        let probe = Probe<Never>(trace)
        subject.subscribe(probe)
        #expect(trace.text == "")
        probe.subscription?.request(.max(1))
        subject.send("2")
        subject.value = "3"
        #expect(trace.text == "1")
        probe.subscription?.request(.max(2))
        subject.value = "4"
        subject.value = "5"
        probe.subscription?.cancel()
        subject.value = "6"
        #expect(trace.text == "1 3 4")
    }

    @Test func `a subject republishes another publisher's values until the subscription is cancelled`() {
        let (first, second, trace) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), Trace())
        let all = second.sink { trace.note("\($0)") }
        let following = first.subscribe(second)
        first.send(1)
        following.cancel()
        first.send(2)
        #expect(trace.text == "1")
        all.cancel()
    }

    @Test func `a sink releases its closures when it ends and when it is cancelled`() {
        final class Held {}
        let subject = PassthroughSubject<Int, Never>()
        weak var held: Held?
        var all: Set<AnyCancellable> = []
        for ends in [true, false] {
            do {
                let object = Held()
                held = object
                subject.map { $0 + 1 }.sink { [object] _ in _ = object }.store(in: &all)
            }
            #expect(held != nil)
            if ends { all.removeAll() } else { subject.send(completion: .finished) }
            #expect(held == nil)
        }
    }

    @Test func `a Published property publishes a value before it is stored`() {
        let model = Model()
        var seen: [String] = []
        let all = model.$name.sink { [unowned model] in seen.append("\($0) before \(model.name)") }
        model.name = "b"
        #expect(seen == ["a before a", "b before a"])
        #expect(model.name == "b")
        all.cancel()
    }

    @Test
    func `objectWillChange is sent before any Published property changes, also before an inherited property changes`() {
        let model = Derived()
        var seen: [String] = []
        let all = model.objectWillChange.sink { [unowned model] in seen.append("\(model.name) \(model.count)") }
        model.name = "b"
        model.count = 1
        model.objectWillChange.send()
        #expect(seen == ["a 0", "b 0", "b 1"])
        #expect(model.objectWillChange === model.objectWillChange)
        all.cancel()
    }

    @Test func `assign(to:) sets the property as long as the object exists, and does not retain the object`() {
        let subject = PassthroughSubject<String, Never>()
        weak var kept: Model?
        do {
            let model = Model()
            kept = model
            subject.assign(to: &model.$name)
            subject.send("b")
            #expect(model.name == "b")
        }
        #expect(kept == nil)
        subject.send("c")
    }

    @Test func `assign(to:on:) retains its object until it is cancelled`() {
        let subject = PassthroughSubject<String, Never>()
        weak var kept: Model?
        let all = {
            let model = Model()
            kept = model
            return subject.assign(to: \.name, on: model)
        }()
        subject.send("b")
        #expect(kept?.name == "b")
        all.cancel()
        #expect(kept == nil)
    }

    @Test func `a Future runs its closure once, and keeps the result for all subscribers`() {
        var promise: Future<String, Oops>.Promise?
        var count = 0
        let future = Future<String, Oops> {
            count += 1
            promise = $0
        }
        let (early, late) = (Trace(), Trace())
        let (first, second) = (Probe<Oops>(early), Probe<Oops>(late))
        future.subscribe(first)
        first.subscription?.request(.max(1))
        promise?(.success("1"))
        promise?(.failure(Oops()))
        #expect(early.text == "1 |")
        future.subscribe(second)
        #expect(late.text == "")
        second.subscription?.request(.unlimited)
        #expect(late.text == "1 |")
        #expect(count == 1)
    }

    @Test func `a Deferred creates a new publisher for each subscriber`() {
        var count = 0
        let deferred = Deferred { () -> Just<Int> in
            count += 1
            return Just(count)
        }
        var seen: [Int] = []
        for _ in 1...2 { _ = deferred.sink { seen.append($0) } }
        #expect(seen == [1, 2])
    }

    @Test func `Just, Empty, Fail and sequences send no more values than requested`() {
        #expect(trace(Just("1"), asking: 0) == "")
        #expect(trace(Just("1"), asking: 1) == "1 |")
        #expect(trace(Empty<String, Never>(), asking: 0) == "|")
        #expect(trace(Empty<String, Never>(completeImmediately: false), asking: 1) == "")
        #expect(trace(Fail<String, Oops>(error: Oops()), asking: 0) == "x")
        #expect(trace(["1", "2", "3"].publisher, asking: 2) == "1 2")
        #expect(trace(["1", "2"].publisher, asking: 2) == "1 2 |")
        #expect(trace([String]().publisher, asking: 0) == "|")
        #expect(trace(Optional("1").publisher, asking: 1) == "1 |")
        #expect(trace(Result<String, Oops>.failure(Oops()).publisher, asking: 0) == "x")
    }

    private func trace<P: Publisher>(_ publisher: P, asking count: Int) -> String where P.Output == String {
        let trace = Trace()
        let probe = Probe<P.Failure>(trace)
        publisher.subscribe(probe)
        if count > 0 { probe.subscription?.request(.max(count)) }
        return trace.text
    }

    @Test func `the subscribers of a shared publisher share one subscription, which ends with the last subscriber`() {
        let trace = Trace()
        let source = Source("", trace)
        let shared = source.map { $0 }.share()
        var all: [AnyCancellable] = []
        for name in ["a", "b"] {
            shared.sink(receiveCompletion: { _ in }, receiveValue: { trace.note("\(name)\($0)") }).store(in: &all)
        }
        source.send("1")
        all.removeFirst()
        source.send("2")
        all.removeAll()
        #expect(trace.text == "?∞ a1 b1 b2 !")
    }

    @Test func `handleEvents sees the subscription, demand, values and completion`() {
        let trace = Trace()
        let trial = Trial { source, _ in
            source.handleEvents(
                receiveSubscription: { _ in trace.note("subscription") }, receiveOutput: { trace.note("\($0)") },
                receiveCompletion: { _ in trace.note("completion") }, receiveCancel: { trace.note("cancel") },
                receiveRequest: { trace.note("\($0)") })
        }
        _ = trial.run("+2 1 | c")
        #expect(trace.text == "subscription max(2) 1 completion")
    }

    private static let sums: [(Subscribers.Demand, Subscribers.Demand)] = [
        (Subscribers.Demand.max(2) + Subscribers.Demand.max(3), .max(5)),
        (Subscribers.Demand.max(.max) + 1, .unlimited),
        (Subscribers.Demand.max(2) - Subscribers.Demand.max(3), .none),
        (Subscribers.Demand.unlimited - Subscribers.Demand.max(3), .unlimited),
        (Subscribers.Demand.max(2) - Subscribers.Demand.unlimited, .none),
        (Subscribers.Demand.max(2) * 3, .max(6)),
        (Subscribers.Demand.max(-1), .none),
        (Subscribers.Demand.max(2) * -1, .none),
    ]

    @Test(arguments: sums) func `demands can be added and subtracted without overflow`(
        _ demand: Subscribers.Demand, _ expected: Subscribers.Demand
    ) {
        #expect(demand == expected)
    }
}

private class Model: ObservableObject {
    @Published var name = "a"
}

private final class Derived: Model {
    @Published var count = 0
}
