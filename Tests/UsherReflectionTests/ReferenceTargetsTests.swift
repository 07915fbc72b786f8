import Testing
import UsherReflection

@Suite("References from one object to others")
struct ReferenceTargetsTests {
    @Test func `strong, weak and unowned references are found in existentials, structs and closures`() {
        let target = Referred()
        for (name, refer) in [
            ("strong", { $0.strong = $1 }), ("weak", { $0.feeble = $1 }), ("unowned", { $0.free = $1 }),
            ("existential", { $0.delegate = $1 }), ("struct", { $0.pair = Pair(first: 1, second: $1) }),
            ("inherited", { $0.inherited = $1 }),
            ("closure", { referring, target in referring.closure = { [weak target] in target?.act() } }),
            ("strong closure", { referring, target in referring.closure = { target.act() } }),
            (
                "closure of two",
                { referring, target in
                    let count = referring.count
                    referring.closure = { if count == 0 { target.act() } }
                }
            ),
        ] as [(String, (Referring, Referred) -> Void)] {
            let referring = Referring()
            refer(referring, target)
            let others = [Referred(), target, Referred()]
            #expect(ReferenceTargets(others).referred(by: referring) == [1], "\(name)")
        }
    }

    @Test func `each capture of a closure is found, and no other value`() {
        let (target, other) = (Referred(), Referred())
        var (count, text) = (0, "a text that is longer than a word, and than two")
        for _ in 0..<8 {
            let referring = SpecialReferring()
            referring.perform = { [weak target, weak referring] number in
                if referring?.name == nil, number > 0 { target?.act() }
            }
            #expect(ReferenceTargets([other, target]).referred(by: referring) == [1])
            referring.perform = { [unowned target, text] number in
                count += number
                if text.isEmpty { target.act() }
            }
            #expect(ReferenceTargets([other, target]).referred(by: referring) == [1])
            referring.perform = { [weak referring, other] number in
                if number == 0, referring == nil { other.act() }
                count += 1
            }
            #expect(ReferenceTargets([other, target]).referred(by: referring) == [0])
            text += "."
        }
    }

    @Test func `an object that refers to none of the targets has no match, even if its references dangle`() {
        let referring = Referring()
        do {
            let gone = Referred()
            referring.feeble = gone
            referring.free = gone
            referring.closure = { [weak gone] in gone?.act() }
        }
        #expect(ReferenceTargets([Referred(), Referred()]).referred(by: referring) == [])
        #expect(ReferenceTargets([]).referred(by: referring) == [])
    }

    @Test func `a function without captures, or a missing function, has no match`() {
        let referring = Referring()
        referring.closure = {}
        referring.plain = Referring.nothing
        #expect(ReferenceTargets([Referred()]).referred(by: referring) == [])
    }

    @Test func `property names are found without reading the properties' values`() {
        #expect(StoredPropertyNames.all(of: Referring.self).prefix(2) == ["inherited", "strong"])
    }
}

private protocol Referable: AnyObject {
    func act()
}

private final class Referred: Referable {
    func act() {}
}

private struct Pair {
    var first: Int
    var second: Referred?
}

private class ReferringBase {
    var inherited: Referred?
}

private class GenericReferring<Event> {
    var perform: ((Event) -> Void)?
}

private final class SpecialReferring: GenericReferring<Int> {
    var name: String?
}

private final class Referring: ReferringBase {
    var strong: Referred?
    weak var feeble: Referred?
    unowned(safe) var free: Referred?
    weak var delegate: (any Referable)?
    var pair = Pair(first: 0, second: nil)
    var closure: (() -> Void)?
    var plain: () -> Void = {}
    var count = 0

    static func nothing() {}
}
