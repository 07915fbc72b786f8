/// The groups of states that no input leaves: in the graph of the states, strongly connected components without edges
/// to other components.
///
/// The search is Tarjan's algorithm with its own stack, not recursion, because ways through the graph may be long.
struct ClosedGroups {
    /// The groups, each with its states in ascending order.
    private(set) var groups: [[Int]] = []
    private let targets: [[Int]]
    private var order: [Int]
    private var low: [Int]
    private var count = 0
    private var path: [Int] = []
    private var isOnPath: [Bool]
    private var component: [Int]

    /// Finds the groups; `targets` has, for each state, the states to which its inputs lead.
    init(_ targets: [[Int]]) {
        self.targets = targets
        order = Array(repeating: 0, count: targets.count)
        low = order
        component = Array(repeating: -1, count: targets.count)
        isOnPath = Array(repeating: false, count: targets.count)
        var components = 0
        for state in targets.indices where order[state] == 0 { visit(state, &components) }
        var members = [[Int]](repeating: [], count: components)
        for state in targets.indices { members[component[state]].append(state) }
        groups = members.filter { group in
            group.allSatisfy { state in targets[state].allSatisfy { component[$0] == component[state] } }
        }.sorted { $0[0] < $1[0] }
    }

    private mutating func visit(_ first: Int, _ components: inout Int) {
        var open: [(state: Int, next: Int)] = []
        enter(first, &open)
        while let (state, next) = open.last {
            guard next < targets[state].count else {
                open.removeLast()
                if let parent = open.last?.state { low[parent] = min(low[parent], low[state]) }
                if low[state] == order[state] { close(state, &components) }
                continue
            }
            open[open.count - 1].next += 1
            let target = targets[state][next]
            if order[target] == 0 {
                enter(target, &open)
            } else if isOnPath[target] {
                low[state] = min(low[state], order[target])
            }
        }
    }

    private mutating func enter(_ state: Int, _ open: inout [(state: Int, next: Int)]) {
        count += 1
        order[state] = count
        low[state] = count
        path.append(state)
        isOnPath[state] = true
        open.append((state, 0))
    }

    private mutating func close(_ root: Int, _ components: inout Int) {
        while let state = path.popLast() {
            isOnPath[state] = false
            component[state] = components
            if state == root { break }
        }
        components += 1
    }
}
