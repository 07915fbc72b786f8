import Testing
import UsherReflection

@Suite("References in values of every kind of type")
struct ReferenceKindTests {
    @Test(arguments: ReferenceKind.all)
    fileprivate func `each kind of reference is found, and stale memory is not taken for a reference`(
        _ kind: ReferenceKind
    ) {
        let (other, target) = (Sought(), Sought())
        for _ in 0..<8 {
            StaleMemory.leave(target)
            let referring = kind.refer(target)
            // Create this only now, because a weak reference has just given the target a side table.
            let targets = ReferenceTargets([other, target])
            #expect(targets.referred(by: referring) == [1])
            StaleMemory.leave(target)
            #expect(targets.referred(by: kind.refer(nil)) == [])
        }
    }

    @Test(arguments: ReferenceKind.hidden)
    fileprivate func `no reference is found in a value whose type has no metadata`(_ kind: ReferenceKind) {
        let target = Sought()
        StaleMemory.leave(target)
        let referring = kind.refer(target)
        #expect(ReferenceTargets([target]).referred(by: referring) == [])
    }

    @Test(arguments: ReferenceKind.all + ReferenceKind.hidden)
    fileprivate func `the search for a holder accepts values of every kind of type`(_ kind: ReferenceKind) {
        let (target, search) = (Sought(), ObjectGraphSearch())
        for referring in [kind.refer(target), kind.refer(nil), { kind.refer(Sought()) }()] {
            #expect(search.path(from: referring, to: search as AnyObject) == nil)
            _ = search.closures(in: referring)
        }
    }

    @Test(arguments: ReferenceKind.all + ReferenceKind.hidden)
    fileprivate func `a dangling reference does not count as a reference to an object in the same memory`(
        _ kind: ReferenceKind
    ) {
        let referring = { kind.refer(Sought()) }()
        #expect(ReferenceTargets([referring]).referred(by: referring) == [])
    }

    @Test
    func `captured variables of different types are read correctly, even if their boxes have the same descriptor`() {
        let target = Sought()
        var (objects, numbers): ([Sought], [Int]) = ([target], [1, 2, 3])
        var (object, spare) = (target, Sought())
        let keepers: [AnyObject] = [
            Holder({ objects.append(target) }), Holder({ numbers.append(4) }), Holder({ swap(&object, &spare) }),
        ]
        let targets = ReferenceTargets([target])
        #expect(keepers.map { targets.referred(by: $0) } == [[0], [], [0]])
    }

    @Test func `an inline array is not searched`() {
        let target = Sought()
        let referring = Holder(Lanes(numbers: [1, 2, 3, 4], target: target))
        #expect(ReferenceTargets([target]).referred(by: referring) == [0])
        #expect(ObjectGraphSearch().path(from: referring, to: target) != nil)
    }

    @Test func `the search follows nested closures to a limited depth`() {
        let target = Sought()
        var run: () -> Void = { _ = target }
        for _ in 0..<2_000 { run = { [run] in run() } }
        #expect(ReferenceTargets([target]).referred(by: Holder(run)) == [])
    }

    @Test func `a recursive generic type can be searched`() {
        let (target, search) = (Sought(), ObjectGraphSearch())
        let referring = Holder((Finger.deep(1, .end((2, 3))), target))
        #expect(ReferenceTargets([target]).referred(by: referring) == [0])
        #expect(search.path(from: referring, to: target) != nil)
    }
}

private struct Lanes {
    let numbers: InlineArray<4, Int>
    let target: Sought?
}

private indirect enum Finger<Element> {
    case end(Element)
    case deep(Element, Finger<(Element, Element)>)
}

/// A way to refer to an object, by a value of one kind of type.
private struct ReferenceKind: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Creates an object whose value refers to another object, or to nothing.
    let refer: @Sendable (Sought?) -> AnyObject

    init(_ name: String, _ refer: @escaping @Sendable (Sought?) -> AnyObject) {
        testDescription = name
        self.refer = refer
    }

    static let all = structs + enums + existentials + generics + closures + capturingClosures

    private static let structs = [
        ReferenceKind("struct") { Holder(Pair(1, $0)) },
        ReferenceKind("struct with tuple") { Holder(Pair(Pair("a", 2.5), ($0, UInt8(1)))) },
        ReferenceKind("struct with weak") { Holder(Weakly(value: $0)) },
        ReferenceKind("struct with unowned") { Holder(Unownedly(value: $0)) },
        ReferenceKind("tuple") { Holder((1, ("text", $0), UInt8(1))) },
        ReferenceKind("array of structs") { Holder([Pair(1, nil), Pair(2, $0)]) },
        ReferenceKind("array of weak") { Holder([Weakly(value: nil), Weakly(value: $0)]) },
        ReferenceKind("array slice") { Holder([nil, nil, $0][1...]) },
        ReferenceKind("contiguous array") { Holder(ContiguousArray([$0])) },
        ReferenceKind("dictionary of dictionaries") { Holder(["a": ["b": $0]]) },
        ReferenceKind("set") { Holder(Set([$0])) },
        ReferenceKind("lazy") { target in
            let holder = LazyHolder()
            holder.late = target
            return holder
        },
    ]

    private static let enums = [
        ReferenceKind("optional of optional") { Holder(Optional(Optional($0))) },
        ReferenceKind("optional struct") { target in Holder(target.map { Pair(1, $0) }) },
        ReferenceKind("one of several objects") { Holder($0.map(Several.second) ?? .first(Unsought())) },
        ReferenceKind("payload, or none") { Holder($0.map(Several.third) ?? .nothing) },
        ReferenceKind("payload beside numbers") { Holder($0.map { Mixed.both($0, 7) } ?? .numbers(1, 2, 3)) },
        ReferenceKind("payload with labels") { Holder($0.map { Mixed.named(text: "a", object: $0) } ?? .text("b")) },
        ReferenceKind("indirect payload") { Holder($0.map { Chain.link(.link(.end($0))) } ?? .link(.nothing)) },
        ReferenceKind("indirect generic payload") { Holder($0.map { Fork.node(.leaf($0), .nothing) } ?? .nothing) },
        ReferenceKind("result") { Holder($0.map { Result<Sought, Failure>.success($0) } ?? .failure(Failure())) },
        ReferenceKind("generic payload") { Holder(Either<Sought?, Int>.left($0)) },
        ReferenceKind("generic payload, or number") { Holder($0.map { Either<Sought, Int>.left($0) } ?? .right(1)) },
        ReferenceKind("weak payload") {
            Holder($0.map { Either<Weakly, Int>.left(Weakly(value: $0)) } ?? .right(1))
        },
    ]

    private static let existentials = [
        ReferenceKind("class existential") { Holder($0 as (any Seekable)?) },
        ReferenceKind("any object") { Holder($0 as AnyObject?) },
        ReferenceKind("class with protocol") { Holder($0 as (any Unsought & Seekable)?) },
        ReferenceKind("any") { Holder($0.map { $0 as Any } ?? 1 as Any) },
        ReferenceKind("any in its buffer") { Holder(Pair(1, $0) as Any) },
        ReferenceKind("any in a box") { Holder(Pair((1, 2, 3, 4), $0) as Any) },
        ReferenceKind("any in an aligned box") { Holder(Pair(SIMD4<Double>(), $0) as Any) },
        ReferenceKind("optional any") { Holder($0 as Any?) },
        ReferenceKind("protocol") { Holder(Wrapper(value: $0) as any Wrapping) },
        ReferenceKind("constrained protocol") { Holder(Wrapper(value: $0) as any Wrapping<Sought?>) },
        ReferenceKind("constrained class protocol") { Holder($0 as (any Keeping<Int>)?) },
        ReferenceKind("dictionary of any") { Holder(["a": $0.map { $0 as Any } ?? 1 as Any]) },
        ReferenceKind("weak existential") { target in
            let holder = WeakHolder()
            holder.value = target
            return holder
        },
    ]

    private static let generics = [
        ReferenceKind("pack") { Packed(1, $0, "text") },
        ReferenceKind("pack of structs") { Packed(Pair($0, 1)) },
        ReferenceKind("pack in a struct") { Holder(PackedPair(1, $0)) },
        ReferenceKind("generic superclass") { GenericHeir(Pair(1, $0)) },
        ReferenceKind("associated type") { ListHolder<[Sought?]>($0) },
        ReferenceKind("actor") { ActorHolder($0) },
        ReferenceKind("noncopyable argument") { UncopiedGenericHolder(UncopiedBox(value: $0)) },
    ]

    private static let closures = [
        ReferenceKind("closure") { target in Holder { target?.act() } },
        ReferenceKind("closure in a struct") { target in Holder(Action { target?.act() }) },
        ReferenceKind("closures in an array") { target in
            Holder([Action {}, Action { [weak target] in target?.act() }])
        },
        ReferenceKind("closure in an array") { target in Holder([{ target?.act() }]) },
        ReferenceKind("closure in a dictionary") { target in Holder(["a": { [weak target] in target?.act() }]) },
        ReferenceKind("closure in a tuple") { target in Holder((1, { target?.act() })) },
        ReferenceKind("closure in an enum") { target in Holder(Either<Action, Int>.left(Action { target?.act() })) },
        ReferenceKind("closure in any") { target in Holder(Action { target?.act() } as Any) },
        ReferenceKind("closure with parameters") { target in
            Holder { (_: Int, _: String) -> Bool in target?.value == nil }
        },
        ReferenceKind("optional closure") { target in
            let holder = ClosureHolder()
            holder.run = target.map { target in { [unowned target] in target.act() } }
            return holder
        },
        ReferenceKind("method") { target in Holder(target.map { $0.act } ?? {}) },
        ReferenceKind("closure in a closure") { target in
            let action = Action { [weak target] in target?.act() }
            return Holder { action.run() }
        },
        ReferenceKind("closure of a generic function") { target in
            Values<Bool>().observe(next: { [weak target] _ in target?.act() }, end: nil)
        },
        ReferenceKind("second closure of a generic function") { target in
            Values<[String]>().observe(next: nil, end: { target?.act() })
        },
        ReferenceKind("closure that a generic function passes on") { target in
            Values<Int>().passing { _ in target?.act() }
        },
        ReferenceKind("closure that is kept by itself") { target in
            let holder = ClosureHolder()
            var run: () -> Void = {}
            run = { if holder.isDone { run() } else { target?.act() } }
            return Holder(run)
        },
    ]

    private static let capturingClosures = [
        ReferenceKind("capture behind a type") { target in
            let type = Pair<Int, Int>.self
            return Holder { if MemoryLayout.size(ofValue: type) == 0 { target?.act() } }
        },
        ReferenceKind("capture behind numbers") { target in
            let (small, wide) = (UInt8(clamping: target?.value ?? 1), Double(target?.value ?? 1))
            return Holder { if Double(small) != wide { target?.act() } }
        },
        ReferenceKind("capture behind an existential") { target in
            let (named, error): (any Wrapping, any Error) = (Wrapper(value: 1), Failure())
            return Holder { if named is Wrapper<Int> || error is Failure { target?.act() } }
        },
        ReferenceKind("capture behind a weak existential") { target in
            let other: (any Seekable)? = target
            return Holder { [weak other] in other?.act() }
        },
        ReferenceKind("captured variable") { target in
            var variable = Pair(1, target)
            variable.first += 1
            let holder = Holder {
                variable.first += 1
                variable.second?.act()
            }
            variable.first += 1
            return holder
        },
        ReferenceKind("captured noncopyable") { target in UncopiedBox.holder(target) },
        ReferenceKind("capture before a pack") { target in PackedAction(before: target, 1, "text").holder },
    ]

    /// Values that the compiler hides from the runtime, so that the search finds nothing in them.
    static let hidden = [
        ReferenceKind("noncopyable struct") { UncopiedHolder($0) },
        ReferenceKind("noncopyable optional") { UncopiedOptionalHolder($0) },
        ReferenceKind("noncopyable enum") { UncopiedEnumHolder($0) },
        ReferenceKind("capture behind a pack") { target in PackedAction(behind: target, 1, "text").holder },
    ]
}

private protocol Seekable: AnyObject {
    func act()
}

private protocol Keeping<Content>: AnyObject {
    associatedtype Content
}

private class Unsought: @unchecked Sendable {}  // because no test shares it between threads

private final class Sought: Unsought, Seekable, Keeping, Hashable, @unchecked Sendable {  // for the same reason
    typealias Content = Int

    private(set) var value: Int?

    func act() { value = 1 }

    static func == (left: Sought, right: Sought) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private final class Holder<Value> {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

private final class LazyHolder {
    lazy var late: Sought? = nil
}

private final class WeakHolder {
    weak var value: (any Seekable)?
}

private final class ClosureHolder {
    var run: (() -> Void)?
    var isDone = true
}

private struct Pair<First, Second> {
    var first: First
    var second: Second

    init(_ first: First, _ second: Second) {
        (self.first, self.second) = (first, second)
    }
}

private struct Weakly {
    weak var value: Sought?
}

private struct Unownedly {
    unowned var value: Sought?
}

private struct Action {
    let run: () -> Void
}

private struct Failure: Error {
    var code = 1
}

private enum Several {
    case first(Unsought), second(Sought), third(Sought), nothing
}

private enum Mixed {
    case numbers(Int, Int, Int), both(Sought, Int), text(String), named(text: String, object: Sought)
}

private enum Chain {
    indirect case link(Chain)
    case end(Sought)
    case nothing
}

private indirect enum Fork<Leaf> {
    case node(Fork, Fork), leaf(Leaf), nothing
}

private enum Either<Left, Right> {
    case left(Left), right(Right)
}

private protocol Wrapping<Value> {
    associatedtype Value
}

private struct Wrapper<Value>: Wrapping {
    let number = 1
    let value: Value
}

private final class Packed<each Value> {
    let values: (repeat each Value)

    init(_ values: repeat each Value) {
        self.values = (repeat each values)
    }
}

private struct PackedPair<each Value> {
    let values: (repeat each Value)

    init(_ values: repeat each Value) {
        self.values = (repeat each values)
    }
}

private struct PackedAction {
    let holder: Holder<() -> Void>

    init<each Value>(before target: Sought?, _ values: repeat each Value) {
        let kept = (repeat each values)
        holder = Holder {
            target?.act()
            _ = (repeat each kept)
        }
    }

    init<each Value>(behind target: Sought?, _ values: repeat each Value) {
        let kept = (repeat each values)
        holder = Holder {
            _ = (repeat each kept)
            target?.act()
        }
    }
}

private class GenericBase<Value> {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

private final class GenericHeir: GenericBase<Pair<Int, Sought?>> {}

private final class ListHolder<List: Sequence> {
    var last: List.Element

    init(_ last: List.Element) {
        self.last = last
    }
}

private actor ActorHolder {
    let value: Sought?
    private var count = 1

    init(_ value: Sought?) {
        self.value = value
    }
}

private struct UncopiedBox<Value>: ~Copyable {
    let value: Value

    static func holder(_ value: Value) -> AnyObject where Value == Sought? {
        let box = UncopiedBox(value: value)
        return Holder { box.value?.act() }
    }
}

private enum UncopiedChoice: ~Copyable {
    case one(UncopiedBox<Sought?>), none
}

private final class UncopiedHolder {
    let box: UncopiedBox<Sought?>

    init(_ value: Sought?) {
        box = UncopiedBox(value: value)
    }
}

private final class UncopiedOptionalHolder {
    let box: UncopiedBox<Sought>?

    init(_ value: Sought?) {
        if let value { box = UncopiedBox(value: value) } else { box = nil }
    }
}

private final class UncopiedEnumHolder {
    let choice: UncopiedChoice

    init(_ value: Sought?) {
        choice = value == nil ? .none : .one(UncopiedBox(value: value))
    }
}

private final class UncopiedGenericHolder<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) {
        self.value = value
    }
}

private struct Values<Element> {
    /// Like a library's `subscribe`: the stored closure is created here, and captures those of its caller.
    func observe(next: ((Element) -> Void)?, end: (() -> Void)?) -> Holder<(Element) -> Void> {
        let last = Holder<Element?>(nil)
        return Holder { element in
            if last.value == nil { next?(element) }
            end?()
        }
    }

    func passing(_ next: @escaping (Element) -> Void) -> Holder<(Element) -> Void> {
        let inner = Values<[Element]>().observe(next: { for element in $0 { next(element) } }, end: nil).value
        return Holder { inner([$0]) }
    }
}
