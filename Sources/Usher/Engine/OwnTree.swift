/// The coordinators that an app keeps by itself, beside the engine's, as operators and tests are shown them.
package struct OwnTree {
    /// One of an app's own coordinators.
    package struct Member {
        /// Its type, such as `LoginCoordinator`.
        package let type: String
        /// The ids of the screens that it shows.
        package let screens: [Int]
        /// True where neither it nor what is below it shows anything.
        package let isZombie: Bool
        /// True if the coordinator seems to be a zombie, but may show a screen that refers to no coordinator.
        package let isGuessed: Bool
        /// Those that it keeps.
        package let children: [Member]

        /// Makes a coordinator's report.
        package init(type: String, screens: [Int], isZombie: Bool, isGuessed: Bool, children: [Member]) {
            self.type = type
            self.screens = screens
            self.isZombie = isZombie
            self.isGuessed = isGuessed
            self.children = children
        }
    }

    /// An own coordinator that should not be there, and its retainer.
    package struct Retained: Equatable {
        /// Its type.
        package let type: String
        /// A stored property's path, or what else is likely.
        package let holder: String

        /// Makes a coordinator's report.
        package init(type: String, holder: String) {
            self.type = type
            self.holder = holder
        }
    }

    /// The coordinators that the app itself keeps.
    package let roots: [Member]
    /// Those that are kept, and show nothing.
    package let zombies: [Retained]
    /// Those that are not kept any more, and are in memory.
    package let leaks: [Retained]

    /// Makes a report.
    package init(roots: [Member], zombies: [Retained], leaks: [Retained]) {
        self.roots = roots
        self.zombies = zombies
        self.leaks = leaks
    }
}

/// A coordinator that runs an app which keeps coordinators of its own.
package protocol OwnTreeKeeping: AnyCoordinator {
    /// The app's own coordinators, as they stand. Not cheap: asked by operators and tests alone.
    func ownTree() -> OwnTree
}

extension AnyCoordinator {
    /// True where effects or timers are under way that may keep what has left until they are done.
    package final var hasPassingWork: Bool { node.map { $0.tree.pendingWork.newestExcuse() != nil } ?? false }
}
