import Programs
import SeededRandom
import Testing
import UsherReflection

/// Tests with random types: each seed nests a few kinds of types around a reference.
@Suite("References in values of generated types", .timeLimit(.minutes(20)))
struct GeneratedTypeTests {
    private static let seeds = LongRun.choose(UInt64(500), long: 20_000)

    @Test func `references are found in generated types, but not in the unused bytes of other enum cases`() {
        for seed in 0..<Self.seeds {
            let (other, target) = (Target(), Target())
            StaleMemory.leave(target)
            let made = GeneratedValue(seed: seed, referringTo: target)
            let found = ReferenceTargets([other, target]).referred(by: made.holder)
            #expect(found == (made.isFound ? [1] : []), "seed \(seed): \(made.description)")
            StaleMemory.leave(target)
            let empty = GeneratedValue(seed: seed, referringTo: nil).holder
            let left = ReferenceTargets([other, target]).referred(by: empty)
            #expect(left == [], "seed \(seed): \(made.description)")
        }
    }

    @Test func `a search can follow values of generated types, even if one of their references dangles`() {
        let search = ObjectGraphSearch()
        for seed in 0..<Self.seeds {
            let target = Target()
            let made = GeneratedValue(seed: seed, referringTo: target)
            let path = search.path(from: made.holder, to: target, throughClosures: true)
            if made.isHeld { #expect(path != nil, "seed \(seed): \(made.description)") }
            if !made.isStrong { #expect(path == nil, "seed \(seed): \(made.description)") }
            for holder in [made.holder, { GeneratedValue(seed: seed, referringTo: Target()).holder }()] {
                #expect(search.path(from: holder, to: search as AnyObject, throughClosures: true) == nil)
                #expect(ReferenceTargets([search as AnyObject]).referred(by: holder) == [])
                _ = search.closures(in: holder)
            }
        }
    }

    @Test func `the shapes of all generated types can be read`() {
        for seed in 0..<Self.seeds {
            let made = GeneratedValue(seed: seed, referringTo: nil)
            for type in made.types { _ = TypeShape.storedProperties(of: type) }
        }
    }
}

/// An object with a value that refers to a target, and whose type depends on a seed.
private struct GeneratedValue {
    private var random: SplitMix64
    private let target: Target?
    /// The object that contains the value.
    private(set) var holder: AnyObject
    /// The kinds of types, from the inside to the outside.
    private(set) var description = ""
    /// The types, from the inside to the outside.
    private(set) var types: [Any.Type] = []
    /// A Boolean value indicating whether the reference is strong.
    private(set) var isStrong = true
    /// A Boolean value indicating whether the value has the reference only in memory that a dead case has left.
    private var isDead = false
    /// A Boolean value indicating whether the runtime does not know where the reference is.
    private var isHidden = false
    /// A Boolean value indicating whether the value is in a property that cannot be copied.
    private var isUncopied = false

    /// A Boolean value indicating whether `ReferenceTargets` must find the reference.
    var isFound: Bool { !isDead && !isHidden }

    /// A Boolean value indicating whether `ObjectGraphSearch` must find a path.
    ///
    /// The search copies values, so it passes over a property that cannot be copied.
    var isHeld: Bool { isFound && isStrong && !isUncopied }

    init(seed: UInt64, referringTo target: Target?) {
        random = SplitMix64(seed: seed)
        self.target = target
        holder = Sole(0)
        begin()
    }

    private mutating func choose(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func begin() {
        let (target, depth) = (target, 1 + choose(6))
        switch choose(9) {
        case 0: nest("object", target, depth)
        case 1: nest("object or other", target.map(Several.second) ?? .first(Other()), depth)
        case 2: nest("existential", target as (any Seekable)?, depth)
        case 3: nest("any object", target as AnyObject?, depth)
        case 4: nest("closure", { target?.act() }, depth)
        case 5:
            isStrong = false
            nest("weak", Weakly(value: target), depth)
        case 6:
            isStrong = false
            nest("unowned", Unownedly(value: target), depth)
        case 7:
            isStrong = false
            nest("weak closure", { [weak target] in target?.act() }, depth)
        default:
            isStrong = false
            nest("weak existential", WeaklyExistential(value: target), depth)
        }
    }

    /// Wraps a value in values of further types, and finally in an object.
    private mutating func nest<Value>(_ name: String, _ value: Value, _ depth: Int) {
        description += description.isEmpty ? name : " in \(name)"
        types.append(Value.self)
        guard depth > 0 else { return hold(value) }
        switch choose(4) {
        case 0: nestInStructure(value, depth - 1)
        case 1: nestInEnumeration(value, depth - 1)
        case 2: nestInCollection(value, depth - 1)
        default: nestInExistential(value, depth - 1)
        }
    }

    private mutating func nestInStructure<Value>(_ value: Value, _ depth: Int) {
        switch choose(7) {
        case 0: nest("first of a pair", Pair(value, UInt8(1)), depth)
        case 1: nest("second of a pair", Pair("text", value), depth)
        case 2: nest("tuple", (true, value, 2.5), depth)
        case 3: nest("pack", Packed(1, value, "text"), depth)
        case 4: nest("pair with a type", Pair(Value.self, value), depth)
        case 5: nest("aligned", Pair(SIMD4<Double>(), value), depth)
        default:
            // A capture of a generic function has no known size.
            isHidden = true
            nest("generic capture", Action { use(value) }, depth)
        }
    }

    private mutating func nestInEnumeration<Value>(_ value: Value, _ depth: Int) {
        switch choose(11) {
        case 0: nest("optional", Optional(value), depth)
        case 1: nest("optional of optional", Optional(Optional(value)), depth)
        case 2: nest("left", Either<Value, Int>.left(value), depth)
        case 3: nest("right", Either<String, Value>.right(value), depth)
        case 4: nest("both", Choice.both(value, 7), depth)
        case 5: nest("indirect", Fork.node(.leaf(value), .nothing), depth)
        case 6: nest("result", Result<Value, Failure>.success(value), depth)
        case 7: nestDead("no optional", Optional<Value>.none, depth)
        case 8: nestDead("optional of none", Optional(Optional<Value>.none), depth)
        case 9: nestDead("no left", Either<Value, Int>.right(1), depth)
        default: nestDead("no choice", Choice<Value>.nothing, depth)
        }
    }

    /// Nests a case without the value.
    private mutating func nestDead<Empty>(_ name: String, _ empty: Empty, _ depth: Int) {
        isDead = true
        nest(name, empty, depth)
    }

    private mutating func nestInCollection<Value>(_ value: Value, _ depth: Int) {
        switch choose(6) {
        case 0: nest("array", [value], depth)
        case 1: nest("slice", [value, value][1...], depth)
        case 2: nest("contiguous array", ContiguousArray([value]), depth)
        case 3: nest("dictionary", ["a": value], depth)
        case 4: nest("empty array", Pair([Value](), value), depth)
        default:
            isHidden = true
            nest("inline array", InlineArray<2, Value>(repeating: value), depth)
        }
    }

    private mutating func nestInExistential<Value>(_ value: Value, _ depth: Int) {
        switch choose(5) {
        case 0: nest("any", value as Any, depth)
        case 1: nest("protocol", Wrapper(value: value) as any Wrapping, depth)
        case 2: nest("constrained protocol", Wrapper(value: value) as any Wrapping<Value>, depth)
        case 3: nest("optional any", value as Any?, depth)
        default: nest("array of any", [1, value] as [Any], depth)
        }
    }

    private mutating func hold<Value>(_ value: Value) {
        // No code runs on the actor.
        nonisolated(unsafe) let isolated = value
        let holders: [(String, () -> AnyObject)] = [
            ("object", { Sole(value) }), ("heir", { Heir(value) }), ("object of a pack", { PackedObject(1, value) }),
            ("actor", { unsafe Keeper(isolated) }), ("lazy property", { Late(value) }),
            ("noncopyable property", { UncopiedSole(Uncopied(value: value)) }),
        ]
        let choice = choose(holders.count)
        isUncopied = choice == holders.count - 1
        description += " in \(holders[choice].0)"
        holder = holders[choice].1()
    }
}

private protocol Seekable: AnyObject {
    func act()
}

private class Other {}

private final class Target: Other, Seekable {
    private var count = 0

    func act() { count += 1 }
}

private enum Several {
    case first(Other), second(Target), nothing
}

private struct Weakly {
    weak var value: Target?
}

private struct WeaklyExistential {
    weak var value: (any Seekable)?
}

private struct Unownedly {
    unowned var value: Target?
}

private struct Action {
    let run: () -> Void
}

private struct Failure: Error {
    let code = 1
}

private struct Pair<First, Second> {
    let first: First
    let second: Second

    init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }
}

private struct Packed<each Value> {
    let values: (repeat each Value)

    init(_ values: repeat each Value) { self.values = (repeat each values) }
}

private enum Either<Left, Right> {
    case left(Left), right(Right)
}

private enum Choice<Value> {
    case nothing, one(Value), both(Value, Int), other(String)
}

private indirect enum Fork<Leaf> {
    case node(Fork, Fork), leaf(Leaf), nothing
}

private protocol Wrapping<Value> {
    associatedtype Value
}

private struct Wrapper<Value>: Wrapping {
    let number = 1
    let value: Value
}

private struct Uncopied<Value>: ~Copyable {
    let value: Value
}

private class Sole<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

private final class Heir<Value>: Sole<Pair<Int, Value>> {
    let count = 1

    init(_ value: Value) { super.init(Pair(1, value)) }
}

private final class PackedObject<each Value> {
    let values: (repeat each Value)

    init(_ values: repeat each Value) { self.values = (repeat each values) }
}

private final class Late<Value> {
    lazy var value: Value? = nil

    init(_ value: Value) { self.value = value }
}

private final class UncopiedSole<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
}

private actor Keeper<Value> {
    private let value: Value
    private var count = 1

    init(_ value: Value) { self.value = value }
}

/// Prevents the optimizer from removing a capture.
@inline(never)
private func use<Value>(_ value: Value) {}
