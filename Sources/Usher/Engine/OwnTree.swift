/// A report of the coordinators that an app stores itself, outside of the engine's tree, for operators and tests.
package struct OwnTree {
    /// One of an app's own coordinators.
    package struct Member {
        /// The coordinator's type, such as `LoginCoordinator`.
        package let type: String
        /// The ids of the screens that the coordinator shows.
        package let screens: [Int]
        /// A Boolean value indicating whether neither the coordinator nor a descendant shows a screen.
        package let isZombie: Bool
        /// A Boolean value indicating whether the coordinator shows no known screen, but perhaps a screen that refers
        /// to no coordinator.
        package let isGuessed: Bool
        /// The coordinators that this coordinator stores.
        package let children: [Member]

        /// Creates a member.
        package init(type: String, screens: [Int], isZombie: Bool, isGuessed: Bool, children: [Member]) {
            self.type = type
            self.screens = screens
            self.isZombie = isZombie
            self.isGuessed = isGuessed
            self.children = children
        }
    }

    /// A coordinator of the app that should have been deallocated, and the retainer of the coordinator.
    package struct Retained: Equatable {
        /// The coordinator's type.
        package let type: String
        /// The path of a stored property, or another likely retainer.
        package let holder: String

        /// Creates a value.
        package init(type: String, holder: String) {
            self.type = type
            self.holder = holder
        }
    }

    /// The coordinators that no other coordinator stores.
    package let roots: [Member]
    /// The coordinators that the app still stores although they show nothing.
    package let zombies: [Retained]
    /// The coordinators that the app no longer stores, but that are still in memory.
    package let leaks: [Retained]

    /// Creates a report.
    package init(roots: [Member], zombies: [Retained], leaks: [Retained]) {
        self.roots = roots
        self.zombies = zombies
        self.leaks = leaks
    }
}

/// A coordinator that runs an app whose own coordinators are outside of the engine's tree.
package protocol OwnTreeKeeping: AnyCoordinator {
    /// Returns the app's own coordinators. The call is expensive, and is made only for operators and tests.
    func ownTree() -> OwnTree
}

extension AnyCoordinator {
    /// A Boolean value indicating whether pending effects or timers may retain objects that have left.
    package final var hasPassingWork: Bool { node.map { $0.tree.pendingWork.newestExcuse() != nil } ?? false }
}
