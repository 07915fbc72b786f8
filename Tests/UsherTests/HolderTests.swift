import Testing
import Usher
import UsherJSON

/// Tests that the holder of each kind of leak that authors can cause is found.
@Suite("The holder of a leak")
struct HolderTests {
    @Test(arguments: [
        Planting(
            "a strong self in a closure that the author keeps",
            holder: "LeakyCoordinator.onClose → captured LeakyCoordinator"
        ) {
            _, child in child.onClose = { [child] in child.cancel() }
        },
        Planting("a child stored by its parent", holder: "GardenCoordinator.kept[0]") { garden, child in
            garden.kept.append(child)
        },
        Planting("a child stored by a sibling", holder: "SiblingCoordinator.friend") { garden, child in
            garden.child(SiblingCoordinator.self)?.friend = child
        },
        Planting("a global", holder: "something outside the tree") { _, child in Globals.keep(child) },
        Planting("a view model cycle", holder: "LeakyCoordinator.viewModel.coordinator") { _, child in
            child.viewModel = CyclicViewModel(child)
        },
        Planting("a cycle beside many numbers", holder: "LeakyCoordinator.viewModel.coordinator") { _, child in
            child.numbers = Array(repeating: 1, count: 100_000)
            child.viewModel = CyclicViewModel(child)
        },
        Planting("a cycle behind many objects", holder: "the search ended after 10000 values") { _, child in
            child.others = (0..<20_000).map { _ in CyclicViewModel(child) }
        },
        Planting("a delegate that is not weak", holder: "LeakyCoordinator.delegate") { _, child in
            child.delegate = child
        },
        Planting("a screen's closure that captured another coordinator", holder: "UsherTests/HolderTests.swift:") {
            garden, child in garden.push(GardenScreen()) { _, _ in child.cancel() }
        },
        Planting("a closure for another child's end", holder: "the completion closure of SiblingCoordinator") {
            garden, child in garden.start(SiblingCoordinator()) { _, _ in child.cancel() }
        },
        Planting(
            "the closure of an effect", holder: "the closure of the effect \"echo\", given at UsherTests/HolderTests"
        ) {
            garden, child in garden.perform(Echo()) { _, _ in child.cancel() }
        },
        Planting("the closure of a timer", holder: "the closure of a timer, given at UsherTests/HolderTests.swift:") {
            garden, child in garden.after(.seconds(1)) { _ in child.cancel() }
        },
        Planting("an effect itself", holder: "the effect \"holding\", begun at UsherTests/HolderTests.swift:") {
            garden, child in garden.perform(Holding(coordinator: child)) { _, _ in }
        },
        Planting(
            "a closure that a live coordinator keeps", holder: "GardenCoordinator.onRain → captured LeakyCoordinator"
        ) {
            garden, child in garden.onRain = { child.cancel() }
        },
        Planting("a view model that lives on", holder: "GardenViewModel.guests[0]") { garden, child in
            let viewModel = GardenViewModel()
            viewModel.guests.append(child)
            garden.push(GardenScreen(), keeping: viewModel) { _, _ in }
        },
    ])
    fileprivate func `the report of a leak has the leak's type, cause and holder`(planting: Planting) throws {
        let live = try walk(planting)
        let leak = try #require(live.tree.leaks.first, "\(planting) did not leak")
        #expect(live.tree.leaks.count == 1)
        #expect(leak.type == "LeakyCoordinator")
        #expect(leak.input == "event prune")
        #expect(leak.revision == 3)
        let state = try live.text("stack")

        let scratch = try walk(planting)
        let holder = try #require(scratch.tree.findHolders().first ?? nil)
        #expect(holder.contains(planting.holder), "\(planting): \(holder)")

        #expect(try live.text("stack") == state)
        #expect(try live.send("plant"))
        if planting.holder.contains("outside") { Globals.forget() }
    }

    @Test func `a view model that outlives its screen is reported as a leak`() throws {
        let planting = Planting("a view model that keeps itself", holder: "SelfishViewModel.itself") { garden, child in
            let viewModel = SelfishViewModel()
            viewModel.itself = viewModel
            child.push(GardenScreen(), keeping: viewModel) { _, _ in }
        }
        let live = try walk(planting)
        #expect(live.tree.leaks.map(\.type) == ["SelfishViewModel"])
        #expect(live.tree.leaks.map(\.coordinator) == ["garden/leaky"])
        #expect(try walk(planting).tree.findHolders() == ["SelfishViewModel.itself"])
    }

    @Test func `delegates and view models that are referenced weakly are not leaks`() throws {
        let planting = Planting("nothing", holder: "") { garden, child in
            child.push(GardenScreen(), keeping: HonestViewModel(child)) { _, _ in }
            garden.honest = child
        }
        #expect(try walk(planting).tree.leaks.isEmpty)
    }

    /// Starts a leaking child, and ends it again.
    private func walk(_ planting: Planting) throws -> Walker {
        let walker = try Walker(GardenCoordinator(planting.plant))
        try walker.send("plant")
        try walker.send("prune")
        return walker
    }
}

/// One kind of leak.
private struct Planting: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let holder: String
    let plant: @Sendable (GardenCoordinator, LeakyCoordinator) -> Void

    init(
        _ description: String, holder: String, plant: @escaping @Sendable (GardenCoordinator, LeakyCoordinator) -> Void
    ) {
        testDescription = description
        self.holder = holder
        self.plant = plant
    }
}

private struct GardenScreen: Screen {
    enum Event: String, Codable, CaseIterable { case plant, prune }
}

private final class GardenCoordinator: Coordinator<Never> {
    var kept: [AnyCoordinator] = []
    var onRain: (() -> Void)?
    weak var honest: LeakyCoordinator?
    private weak var leaky: LeakyCoordinator?
    private let plant: (GardenCoordinator, LeakyCoordinator) -> Void

    init(_ plant: @escaping (GardenCoordinator, LeakyCoordinator) -> Void) {
        self.plant = plant
    }

    override func start() {
        start(SiblingCoordinator())
        present(GardenScreen(), as: .fullScreen) { me, event in
            switch event {
            case .plant: me.plantOne()
            case .prune: me.leaky?.cancel()
            }
        }
    }

    private func plantOne() {
        let child = LeakyCoordinator()
        leaky = child
        start(child)
        plant(self, child)
    }
}

private final class SiblingCoordinator: Coordinator<Never> {
    var friend: AnyCoordinator?
}

private final class LeakyCoordinator: Coordinator<Never> {
    var numbers: [UInt8] = []
    var others: [AnyObject] = []
    var onClose: (() -> Void)?
    var viewModel: CyclicViewModel?
    var delegate: AnyObject?
}

private final class CyclicViewModel {
    let coordinator: LeakyCoordinator
    init(_ coordinator: LeakyCoordinator) { self.coordinator = coordinator }
}

private final class HonestViewModel {
    weak var coordinator: LeakyCoordinator?
    init(_ coordinator: LeakyCoordinator) { self.coordinator = coordinator }
}

private final class SelfishViewModel {
    var itself: SelfishViewModel?
}

private final class GardenViewModel {
    var guests: [AnyCoordinator] = []
}

/// An effect that retains an object that no other thread may use.
private struct Holding: Effect {
    nonisolated(unsafe) let coordinator: LeakyCoordinator  // because the leak is intended

    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput { NoOutput() }
}

/// Global state, which an author should not use.
private enum Globals {
    nonisolated(unsafe) private static var kept: [LeakyCoordinator] = []  // because the leak is intended

    static func keep(_ coordinator: LeakyCoordinator) { unsafe kept.append(coordinator) }
    static func forget() { unsafe kept = [] }
}
