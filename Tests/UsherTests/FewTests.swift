import Testing

@testable import Usher

@Suite("Lists that mostly have one element")
struct FewTests {
    @Test func `they do what an array does, whatever is done to them`() {
        var dice = SeededGenerator(seed: 7, revision: 1)
        var few = Few<Int>()
        var array: [Int] = []
        for step in 0..<4_000 {
            switch Int.random(in: 0..<9, using: &dice) {
            case 0, 1, 2:
                few.append(step)
                array.append(step)
            case 3: #expect(few.popLast() == array.popLast())
            case 4:
                let divisor = Int.random(in: 2...4, using: &dice)
                few.removeAll { $0 % divisor == 0 }
                array.removeAll { $0 % divisor == 0 }
            case 5 where !array.isEmpty:
                let index = Int.random(in: array.indices, using: &dice)
                few[index] = -step
                array[index] = -step
            case 6 where !array.isEmpty:
                let index = Int.random(in: array.indices, using: &dice)
                few.removeSubrange(index..<few.endIndex)
                array.removeSubrange(index..<array.endIndex)
            case 7:
                few += [step, step + 1]
                array += [step, step + 1]
            default: break
            }
            #expect(Array(few) == array && few.count == array.count)
            #expect(few.first == array.first && few.last == array.last && few.isEmpty == array.isEmpty)
        }
    }
}
