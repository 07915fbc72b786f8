import Testing
import UsherReflection

@Suite("Shapes of types")
struct TypeShapeTests {
    private struct Pair<Value> {
        var first: Value
        let second: [String]
        var sum: Int { second.count }
    }

    @Test func `the stored properties of a struct are returned in order`() throws {
        let properties = try #require(TypeShape.storedProperties(of: Pair<Int8?>.self))
        #expect(properties.map(\.name) == ["first", "second"])
        #expect(properties.first?.type == Int8?.self)
        #expect(properties.last?.type == [String].self)
        #expect(TypeShape.storedProperties(of: Empty.self)?.isEmpty == true)
    }

    @Test(arguments: [Int?.self, Choice.self, Holder.self, (Int, Int).self, (any Error).self, Int.self] as [Any.Type])
    func `types other than structs have no stored properties`(type: Any.Type) {
        let properties = TypeShape.storedProperties(of: type) ?? []
        #expect(properties.allSatisfy { $0.name == "_value" })
    }

    private struct Empty {}
    private final class Holder { var value = 1 }
    private enum Choice: Equatable { case one, two, three }
    private enum Only: Equatable { case one }
    private enum Loaded { case one, two(Int) }
    private enum Generic<Value>: Equatable { case left, right }
    private enum Word: String { case yes = "oui", no = "non" }

    @Test func `the values of an enum without payloads are listed`() {
        #expect(TypeShape.values(of: Choice.self) == [.one, .two, .three])
        #expect(TypeShape.values(of: Only.self) == [.one])
        #expect(TypeShape.values(of: Generic<Int>.self) == [.left, .right])
        #expect(TypeShape.values(of: Word.self)?.map(\.rawValue) == ["oui", "non"])
    }

    @Test func `the values of other types are not listed`() {
        #expect(TypeShape.values(of: Loaded.self)?.count == nil)
        #expect(TypeShape.values(of: Never.self) == nil)
        #expect(TypeShape.values(of: Bool.self) == nil)
        #expect(TypeShape.values(of: Bool?.self) == nil)
        #expect(TypeShape.values(of: Holder.self)?.count == nil)
    }
}
