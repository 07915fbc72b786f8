import Testing

@testable import Usher

@Suite("Lists that mostly have one element")
struct SmallArrayTests {
    @Test func `a small array behaves like an array in random operations`() {
        var dice = SeededGenerator(seed: 7, revision: 1)
        var list = SmallArray<Int>()
        var array: [Int] = []
        for step in 0..<4_000 {
            switch Int.random(in: 0..<9, using: &dice) {
            case 0, 1, 2:
                list.append(step)
                array.append(step)
            case 3: #expect(list.popLast() == array.popLast())
            case 4:
                let divisor = Int.random(in: 2...4, using: &dice)
                list.removeAll { $0 % divisor == 0 }
                array.removeAll { $0 % divisor == 0 }
            case 5 where !array.isEmpty:
                let index = Int.random(in: array.indices, using: &dice)
                list[index] = -step
                array[index] = -step
            case 6 where !array.isEmpty:
                let index = Int.random(in: array.indices, using: &dice)
                list.removeSubrange(index..<list.endIndex)
                array.removeSubrange(index..<array.endIndex)
            case 7:
                list += [step, step + 1]
                array += [step, step + 1]
            default: break
            }
            #expect(Array(list) == array && list.count == array.count)
            #expect(list.first == array.first && list.last == array.last && list.isEmpty == array.isEmpty)
        }
    }
}
