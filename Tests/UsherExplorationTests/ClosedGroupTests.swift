import Testing

@testable import UsherExploration

@Suite("Groups of states that cannot be left")
struct ClosedGroupTests {
    /// The states that each state leads to, and the groups.
    private static let cases: [(targets: [[Int]], groups: [[Int]])] = [
        ([], []),
        ([[]], [[0]]),
        ([[1], [0]], [[0, 1]]),
        ([[1], [2], [1]], [[1, 2]]),
        ([[1, 3], [2], [1], [4], [3]], [[1, 2], [3, 4]]),
        ([[0, 1], [1]], [[1]]),
        ([[1], [2], [0, 3], []], [[3]]),
    ]

    @Test(arguments: cases)
    func `a group of states is closed if no edge leads out of it`(targets: [[Int]], groups: [[Int]]) {
        #expect(ClosedGroups(targets).groups == groups)
    }

    @Test func `a closed group is found even at the end of a path that is too long for recursion`() {
        let length = 200_000
        let targets = (0..<length).map { [$0 + 1 == length ? $0 : $0 + 1] }
        #expect(ClosedGroups(targets).groups == [[length - 1]])
    }
}
