import Testing
import UsherReflection

@Suite("The search for a leak's holder")
struct ObjectGraphSearchTests {
    private let search = ObjectGraphSearch()

    @Test func `the search looks into stored properties, elements, enum payloads and superclasses`() {
        let target = Target()
        for (hold, path) in [
            ({ $0.plain = $1 }, "Holder.plain"),
            ({ $0.list = [Target(), $1] }, "Holder.list[1]"),
            ({ $0.named = ["x": $1] }, "Holder.named[0]"),
            ({ $0.box = Box(content: .full($1)) }, "Holder.box.content.full"),
            ({ $0.inherited = $1 }, "Holder.inherited"),
            ({ $0.existential = $1 }, "Holder.existential"),
            ({ $0.late = [$1] }, "Holder.late[0]"),
            (
                {
                    $0.next = Holder(); $0.next?.plain = $1
                }, "Holder.next.plain"
            ),
        ] as [((Holder, Target) -> Void, String)] {
            let holder = Holder()
            hold(holder, target)
            #expect(search.path(from: holder, to: target) == path)
        }
    }

    @Test func `the search does not follow weak and unowned references, even if they dangle`() {
        let holder = Holder()
        let target = Target()
        holder.feeble = target
        #expect(search.path(from: holder, to: target) == nil)
        let dangling = Dangling(Target())
        #expect(search.path(from: dangling, to: target) == nil)
    }

    @Test func `the search finds a cycle as a path from an object to itself`() {
        let target = Target()
        target.back = Holder()
        target.back?.plain = target
        #expect(search.path(from: target, to: target) == "Target.back.plain")
        target.back = nil
        #expect(search.path(from: target, to: target) == nil)
    }

    @Test(arguments: Capture.allCases)
    fileprivate func `the search follows the strong captures of closures, and each is a step of the path`(
        _ capture: Capture
    ) {
        let (holder, target) = (Holder(), Target())
        capture.make(in: holder, target)
        #expect(search.path(from: holder, to: target, throughClosures: true) == capture.path)
        #expect(search.path(from: holder, to: target) == nil)
    }

    @Test func `a path may lead through the closures of objects to which only closures refer`() {
        let target = Target()
        let (first, second, third) = (Holder(), Holder(), Holder())
        first.closure = { _ = (second, 1) }
        second.closure = { [weak target] in _ = (third, target) }
        third.list = [target]
        #expect(
            search.path(from: first, to: target, throughClosures: true)
                == "Holder.closure → captured Holder.closure → captured Holder.list[0]")
        first.closure = nil
        #expect(search.path(from: first, to: target, throughClosures: true) == nil)
    }

    @Test func `the search follows the captures of functions, whatever the type of the captured value`() {
        let (target, holder) = (Target(), AnyHolder())
        holder.value = { use(target) }
        #expect(
            search.path(from: holder, to: target, throughClosures: true) == "AnyHolder.value → captured Target")
        holder.value = ["close": { use(target) } as Any]
        #expect(
            search.path(from: holder, to: target, throughClosures: true)?.hasSuffix("→ captured Target") == true)
        holder.value = (nil as (() -> Void)?) as Any
        #expect(search.path(from: holder, to: target, throughClosures: true) == nil)
    }

    /// Such values are words, but not references; some of them look like addresses.
    @Test func `a captured enum case that has no payload, or a number as payload, is not taken for a reference`() {
        let (target, holder) = (Target(), Holder())
        for route in Route.allCases {
            holder.closure = { use(route) }
            #expect(search.path(from: holder, to: target, throughClosures: true) == nil)
        }
        for number in [Int32(64), 4_096, 0x7fff_fff8] {
            let choice = Choice.index(number)
            holder.closure = { use(choice) }
            #expect(search.path(from: holder, to: target, throughClosures: true) == nil)
        }
        let choice = Choice.item(target)
        holder.closure = { use(choice) }
        #expect(
            search.path(from: holder, to: target, throughClosures: true)?.hasPrefix("Holder.closure → captured Choice")
                == true)
    }

    @Test func `a closure in a path has the name of its property`() {
        let holder = Holder()
        #expect(search.closures(in: holder) == [])
        holder.closure = {}
        #expect(search.closures(in: holder) == ["Holder.closure"])
    }

    @Test func `the search does not look into opaque types`() {
        let holder = Holder()
        let target = Target()
        holder.inherited = target
        #expect(ObjectGraphSearch { $0 == Base.self }.path(from: holder, to: target) == nil)
    }

    @Test func `the search skips collections whose elements cannot refer to objects, however large they are`() {
        let target = Target()
        for numbers in [
            Box(content: .bytes(Array(repeating: 1, count: 1_000_000))),
            Box(content: .texts(Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("\($0)", $0) }))),
            Box(content: .links(Array(repeating: Chain.next([.end]), count: 20_000))),
        ] {
            let holder = Holder()
            holder.box = numbers
            holder.next = Holder()
            holder.next?.plain = target
            #expect(search.path(from: holder, to: target) == "Holder.next.plain")
            #expect(!search.reachesLimit(from: holder))
        }
    }

    @Test func `a search that reaches its limit finds no path, and reports that it has reached the limit`() {
        let holder = Holder()
        holder.list = (0..<20_000).map { _ in Target() }
        #expect(search.path(from: holder, to: Target()) == nil)
        #expect(search.reachesLimit(from: holder))
    }

    @Test func `the search stays within its limits for a long chain of objects and an object with many references`() {
        let first = Holder()
        var last = first
        for _ in 0..<20_000 {
            let next = Holder()
            last.next = next
            last = next
        }
        let target = Target()
        last.plain = target
        #expect(search.path(from: first, to: target) == nil)
        // Release the chain from the front, because recursive deallocation would overflow the stack.
        var rest: Holder? = first
        while let current = rest {
            rest = current.next
            current.next = nil
        }
    }
}

private class Base {
    var inherited: Target?
}

private final class Holder: Base {
    lazy var late: [Target] = []
    var plain: Target?
    var list: [Target] = []
    var named: [String: Target] = [:]
    var box: Box?
    var existential: (any Sendable)?
    weak var feeble: Target?
    var closure: (() -> Void)?
    var next: Holder?
}

private struct Box {
    enum Content { case empty, full(Target), bytes([UInt8]), texts([String: Int]), links([Chain]) }
    var content: Content
}

private enum Chain {
    case next([Chain]), end
}

private final class Target: @unchecked Sendable {  // because no test shares it between threads
    var back: Holder?
}

private final class Dangling {
    unowned let gone: Target
    init(_ target: Target) { gone = target }
}

private final class AnyHolder {
    var value: Any?
}

/// An enum whose cases without a payload are stored as 0, 8, 16 and so on, which are never addresses of objects.
private enum Route: CaseIterable {
    case first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh
    case item(Target)

    static let allCases: [Route] = [
        .first, .second, .third, .fourth, .fifth, .sixth, .seventh, .eighth, .ninth, .tenth, .eleventh,
    ]
}

private enum Choice {
    case index(Int32)
    case item(Target)
}

/// The ways in which a closure can refer to an object.
private enum Capture: CaseIterable {
    case strongly, weakly, weaklyGone, unowned, variable, besideOthers, inStruct, inOptional, inList, inExistential
    case inClosure, inGenericFunction, byGenericClass, weaklyInGenericFunction, inTuple, inEnum

    var path: String? {
        switch self {
        case .weakly, .weaklyGone, .unowned, .weaklyInGenericFunction: nil
        // The size of a generic function's parameter is unknown.
        case .inGenericFunction: nil
        case .strongly, .variable, .besideOthers, .inOptional, .byGenericClass: "Holder.closure → captured Target"
        case .inStruct, .inEnum: "Holder.closure → captured Box.content.full"
        case .inList: "Holder.closure → captured Array<Target>[0]"
        case .inExistential: "Holder.closure → captured Target"
        case .inClosure: "Holder.closure → captured Target"
        case .inTuple: "Holder.closure → captured (Target, Int)"
        }
    }

    func make(in holder: Holder, _ target: Target) {
        switch self {
        case .strongly: holder.closure = { use(target) }
        case .weakly: holder.closure = { [weak target] in use(target) }
        case .weaklyGone:
            let other = Target()
            holder.closure = { [weak other] in use(other) }
        case .unowned: holder.closure = { [unowned target] in use(target) }
        case .variable:
            var variable: Target? = target
            holder.closure = {
                use(variable)
                variable = nil
            }
        case .besideOthers:
            let (text, number) = (String(describing: holder), holder.list.count)
            holder.closure = { use((text, number, target)) }
        case .inStruct:
            let box = Box(content: .full(target))
            holder.closure = { use(box) }
        case .inOptional:
            let optional: Target? = target
            holder.closure = { use(optional) }
        case .inList:
            let (list, number) = ([target], holder.list.count)
            holder.closure = { use((list, number)) }
        case .inExistential:
            let value: any Sendable = target
            holder.closure = { use(value) }
        case .inClosure:
            let inner = { use(target) }
            holder.closure = {
                inner()
                use(1)
            }
        case .inGenericFunction: hold(target, in: holder)
        case .byGenericClass: holder.closure = { [target = Pair(target, 1).first] in use(target) }
        case .weaklyInGenericFunction: holdWeakly(target, in: holder)
        case .inTuple:
            let pair = (target, 7)
            holder.closure = { use(pair) }
        case .inEnum:
            let box = Box(content: .full(target))
            let number = holder.list.count
            holder.closure = { use((box, number)) }
        }
    }

    private func hold<Value>(_ value: Value, in holder: Holder) { holder.closure = { use(value) } }

    private func holdWeakly<Value: AnyObject>(_ value: Value, in holder: Holder) {
        holder.closure = { [weak value] in use(value) }
    }
}

private struct Pair<First, Second> {
    let first: First
    let second: Second

    init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }
}

/// Prevents the optimizer from removing a capture.
@inline(never)
private func use<Value>(_ value: Value) {}
