import Combine
import Programs
import Testing

/// Pipelines of many steps that run in one call: a loop must run them, because so many calls overflow the stack.
@Suite
struct LongTests {
    typealias Step = () -> Void

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (@escaping Step) -> AnyPublisher<Int, Oops>

        init<P: Publisher & SendableMetatype>(_ name: String, _ make: @escaping @Sendable (@escaping Step) -> P)
        where P.Output == Int, P.Failure == Oops {
            testDescription = name
            self.make = { make($0).eraseToAnyPublisher() }
        }
    }

    @Test(arguments: rows, [Subscribers.Demand.unlimited, .max(1)])
    func `the call stack does not grow with the number of values, whatever number of values the subscriber requests`(
        _ row: Row, _ demand: Subscribers.Demand
    ) {
        var (steps, values, ends) = (0, 0, 0)
        var subscription: (any Subscription)?
        let subscriber = AnySubscriber<Int, Oops>(
            receiveSubscription: { subscription = $0 },
            receiveValue: { _ in
                values += 1
                guard demand != .unlimited else { return .none }
                // A subscriber requests the next value by a call, or by its answer.
                if values.isMultiple(of: 2) { return demand }
                subscription?.request(demand)
                return .none
            }, receiveCompletion: { _ in ends += 1 })
        row.make { steps += 1 }.subscribe(subscriber)
        subscription?.request(demand)
        #expect(steps == count)
        #expect(ends == 1)
    }

    static let rows: [Row] = [
        Row("Publishers.Sequence") { numbers($0) },
        Row("filter") { step in numbers(step).filter { _ in false } },
        Row("retry") { step in failing(step).retry(count - 1) },
        Row("retry after a value") { step in one {}.append(failing(step)).retry(count - 1) },
        Row("catch that calls itself") { catching($0, count) },
        Row("append that calls itself") { appending($0, count) },
        Row("prepend that calls itself") { prepending($0, count) },
        Row("append of a sequence") { step in Empty().append(numbers(step)) },
        Row("prepend of a sequence") { step in Empty().prepend(numbers(step)) },
        Row("flatMap") { step in numbers(step).flatMap { Just($0) } },
        Row("flatMap, one at a time") { step in numbers(step).flatMap(maxPublishers: .max(1)) { Just($0) } },
        Row("flatMap of one publisher") { step in Just(1).flatMap { _ in numbers(step) } },
        Row("flatMap of no values") { step in
            numbers(step).flatMap(maxPublishers: .max(1)) { _ in Empty<Int, Oops>() }
        },
        Row("switchToLatest") { step in numbers(step).map { Just($0) }.switchToLatest() },
        Row("switchToLatest of one publisher") { step in Just(numbers(step)).switchToLatest() },
        Row("merge") { step in numbers(step).merge(with: numbers {}, numbers {}) },
        Row("MergeMany") { step in Publishers.MergeMany((0..<count).map { _ in one(step) }) },
        Row("combineLatest") { step in numbers(step).combineLatest(numbers {}) { one, _ in one } },
        Row("zip") { step in numbers(step).zip(numbers {}) { one, _ in one } },
        Row("share") { step in numbers(step).share() },
        Row("collect") { step in numbers(step).collect().flatMap { $0.publisher } },
        Row("receive(on:)") { step in numbers(step).receive(on: ImmediateScheduler.shared) },
        Row("subscribe(on:)") { step in numbers(step).subscribe(on: ImmediateScheduler.shared) },
        Row("delay") { step in numbers(step).delay(for: 1, scheduler: ImmediateScheduler.shared) },
        Row("debounce") { step in numbers(step).debounce(for: 1, scheduler: ImmediateScheduler.shared) },
        Row("throttle") { step in
            numbers(step).throttle(for: 0, scheduler: ImmediateScheduler.shared, latest: true)
        },
    ]

    @Test func `a task receives all values of a publisher`() async throws {
        var seen = 0
        for await _ in (0..<count).publisher.values { seen += 1 }
        for try await _ in numbers({}).values { seen += 1 }
        #expect(seen == 2 * count)
    }

    @Test func `zip keeps the order of values that wait for the other publisher`() {
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        var next = 0
        var isOrdered = true
        let all = first.zip(second).sink { one, other in
            isOrdered = isOrdered && one == next && other == next
            next += 1
        }
        for number in 0..<count { first.send(number) }
        for number in 0..<count { second.send(number) }
        #expect(next == count)
        #expect(isOrdered)
        all.cancel()
    }
}

private let count = LongRun.choose(25_000, long: 100_000)

/// So many numbers, each a step.
private func numbers(_ step: @escaping LongTests.Step) -> AnyPublisher<Int, Oops> {
    (0..<count).lazy.map { number in
        step()
        return number
    }.publisher.setFailureType(to: Oops.self).eraseToAnyPublisher()
}

/// One number.
private func one(_ step: @escaping LongTests.Step) -> AnyPublisher<Int, Oops> {
    Deferred {
        step()
        return Just(1).setFailureType(to: Oops.self)
    }.eraseToAnyPublisher()
}

/// An error.
private func failing(_ step: @escaping LongTests.Step) -> AnyPublisher<Int, Oops> {
    Deferred {
        step()
        return Fail(outputType: Int.self, failure: Oops())
    }.eraseToAnyPublisher()
}

private func catching(_ step: @escaping LongTests.Step, _ left: Int) -> AnyPublisher<Int, Oops> {
    guard left > 0 else { return Empty().eraseToAnyPublisher() }
    return failing(step).catch { _ in catching(step, left - 1) }.eraseToAnyPublisher()
}

private func appending(_ step: @escaping LongTests.Step, _ left: Int) -> AnyPublisher<Int, Oops> {
    guard left > 0 else { return Empty().eraseToAnyPublisher() }
    return one(step).append(Deferred { appending(step, left - 1) }).eraseToAnyPublisher()
}

private func prepending(_ step: @escaping LongTests.Step, _ left: Int) -> AnyPublisher<Int, Oops> {
    guard left > 0 else { return Empty().eraseToAnyPublisher() }
    return Deferred { prepending(step, left - 1) }.prepend(one(step)).eraseToAnyPublisher()
}
