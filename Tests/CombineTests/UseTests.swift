import Combine
import Testing
import UIKit

/// Pipelines as apps write them: overloads, type inference and trailing closures.
///
/// Each was written after the uses that were counted in apps.
@Suite
struct UseTests {
    @Test func `flatMap accepts every combination of publishers that can fail and publishers that cannot`() {
        var seen: [String] = []
        let (safe, failing) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Oops>())
        var all: Set<AnyCancellable> = []
        safe.flatMap { Just($0) }.sink { seen.append("a\($0)") }.store(in: &all)
        safe.flatMap { Just($0).setFailureType(to: Oops.self) }
            .sink { _ in
            } receiveValue: {
                seen.append("b\($0)")
            }
            .store(in: &all)
        failing.flatMap { Just($0) }
            .sink { _ in
            } receiveValue: {
                seen.append("c\($0)")
            }
            .store(in: &all)
        failing.flatMap(maxPublishers: .max(1)) { Just($0).setFailureType(to: Oops.self) }
            .replaceError(with: 0).sink { seen.append("d\($0)") }.store(in: &all)
        safe.send(1)
        failing.send(2)
        #expect(seen == ["a1", "b1", "c2", "d2"])
    }

    @Test func `combineLatest reports a form as valid as soon as all its fields are valid`() {
        let form = Form()
        var seen: [Bool] = []
        let all = Publishers.CombineLatest3(form.$name, form.$password, form.$isAgreed)
            .map { name, password, isAgreed in !name.isEmpty && password.count > 3 && isAgreed }
            .removeDuplicates()
            .sink { seen.append($0) }
        form.name = "kim"
        form.password = "hike"
        form.isAgreed = true
        form.name = ""
        #expect(seen == [false, true, false])
        all.cancel()
    }

    @Test func `pipelines accept key paths, optionals and sequences`() {
        var seen: [String] = []
        let all = ["one", "three"].publisher.map(\.count).compactMap(Optional.init).map(String.init)
            .merge(with: Optional("two").publisher, Empty())
            .collect().map { $0.joined(separator: " ") }
            .eraseToAnyPublisher()
            .sink(receiveCompletion: { seen.append("\($0)") }, receiveValue: { seen.append($0) })
        #expect(seen == ["3 5 two", "finished"])
        all.cancel()
    }

    @Test func `a coordinator gets only the first result of its child`() {
        let child = PassthroughSubject<Result<Int, Oops>, Never>()
        let tap = PassthroughSubject<Void, Never>()
        var seen: [Int] = []
        var all: [AnyCancellable] = []
        tap.map { child.first() }
            .switchToLatest()
            .tryMap { try $0.get() }
            .catch { _ in Just(-1) }
            .prepend(0)
            .sink { seen.append($0) }
            .store(in: &all)
        tap.send()
        child.send(.success(1))
        child.send(.success(2))
        tap.send()
        child.send(.failure(Oops()))
        tap.send()
        #expect(seen == [0, 1, -1])
    }

    @Test func `an operator that an app defines may use the names of Apple's types`() {
        let subject = PassthroughSubject<String?, Never>()
        var seen: [String] = []
        let all = subject.unwrapped().shouted().sink { seen.append($0) }
        subject.send(nil)
        subject.send("a")
        subject.send("a")
        #expect(seen == ["A"])
        all.cancel()
    }

    @Test func `a subject may send another value while it is sending`() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let all = subject.map { $0 }.sink { value in
            if value < 3 { subject.send(value + 1) }
            seen.append(value)
        }
        subject.send(1)
        #expect(seen == [3, 2, 1])
        all.cancel()
    }

    @Test func `a subscriber that requests one value at a time receives all values, however many there are`() {
        let count = 50_000
        var seen = 0
        var subscription: (any Subscription)?
        let subscriber = AnySubscriber<Int, Never>(
            receiveSubscription: { subscription = $0 },
            receiveValue: { _ in
                seen += 1
                return .max(1)
            })
        (0..<count).publisher.flatMap { Just($0) }.subscribe(subscriber)
        #expect(seen == 0)
        subscription?.request(.max(1))
        #expect(seen == count)
    }

    @Test func `a subscriber may cancel its subscription when it receives a value`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        var seen: [Int] = []
        var all: AnyCancellable?
        all = subject.dropFirst().sink { value in
            seen.append(value)
            all?.cancel()
        }
        subject.send(1)
        subject.send(2)
        #expect(seen == [1])
    }

    @Test func `outside a session, a scheduler runs the code that it schedules at once`() {
        var count = 0
        ImmediateScheduler.shared.schedule { count += 1 }
        ImmediateScheduler.shared.schedule(after: ImmediateScheduler.shared.now) { count += 1 }
        _ = ImmediateScheduler.shared.schedule(after: ImmediateScheduler.shared.now, interval: 1) { count += 1 }
        #expect(count == 3)
    }

    @Test(arguments: zip(intervals, nanoseconds)) func `time intervals are exact, and are clamped to their range`(
        _ interval: SessionTime.Stride, _ nanoseconds: Int
    ) {
        #expect(interval.nanoseconds == nanoseconds)
    }

    private static let intervals: [SessionTime.Stride] = [
        1, 0.3, .seconds(1.5), .milliseconds(20), .microseconds(7), .nanoseconds(9), .seconds(.max), .seconds(.nan),
        .seconds(.infinity) + .seconds(.infinity) + .seconds(.infinity), .seconds(Int.min), -.seconds(2),
        .seconds(2) * 3,
    ]
    private static let nanoseconds = [
        1_000_000_000, 300_000_000, 1_500_000_000, 20_000_000, 7_000, 9, .max, 0, .max, .min, -2_000_000_000,
        6_000_000_000,
    ]
}

extension Publisher {
    fileprivate func unwrapped<Wrapped>() -> Publishers.CompactMap<Self, Wrapped> where Output == Wrapped? {
        compactMap { $0 }
    }
}

extension Publisher where Output == String {
    fileprivate func shouted() -> Publishers.Map<Publishers.RemoveDuplicates<Self>, String> {
        removeDuplicates().map { $0.uppercased() }
    }
}

private final class Form {
    @Published var name = ""
    @Published var password = ""
    @Published var isAgreed = false
}
