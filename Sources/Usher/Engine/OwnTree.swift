import UsherJSON

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
        /// Those that it keeps.
        package let children: [Member]

        /// Makes a coordinator's report.
        package init(type: String, screens: [Int], isZombie: Bool, children: [Member]) {
            self.type = type
            self.screens = screens
            self.isZombie = isZombie
            self.children = children
        }
    }

    /// An own coordinator that should not be there, and its retainer.
    package struct Finding: Equatable {
        /// Its type.
        package let type: String
        /// A stored property's path, or what else is likely.
        package let holder: String

        /// Makes a finding.
        package init(type: String, holder: String) {
            self.type = type
            self.holder = holder
        }
    }

    /// The coordinators that the app itself keeps.
    package let roots: [Member]
    /// Those that are kept, and show nothing.
    package let zombies: [Finding]
    /// Those that are not kept any more, and are in memory.
    package let leaks: [Finding]

    /// Makes a report.
    package init(roots: [Member], zombies: [Finding], leaks: [Finding]) {
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

extension Tree {
    /// Appends the app's own coordinators as the member `own`, where the app keeps any.
    func writeOwnTree(into writer: inout JSONWriter) {
        let keepers = hierarchy.nodes.compactMap { $0.coordinator as? any OwnTreeKeeping }
        guard let own = keepers.first?.ownTree(), !own.roots.isEmpty || !own.leaks.isEmpty else { return }
        writer.key("own")
        writer.beginObject()
        writer.key("roots")
        writer.beginArray()
        for member in own.roots { write(member, into: &writer) }
        writer.endArray()
        write(own.zombies, as: "zombies", into: &writer)
        write(own.leaks, as: "leaks", into: &writer)
        writer.endObject()
    }

    private func write(_ member: OwnTree.Member, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("type", member.type)
        write(window.screens.filter { member.screens.contains($0.id) }, into: &writer)
        if member.isZombie {
            writer.key("zombie")
            writer.boolean(true)
        }
        writer.key("children")
        writer.beginArray()
        for child in member.children { write(child, into: &writer) }
        writer.endArray()
        writer.endObject()
    }

    private func write(_ findings: [OwnTree.Finding], as name: String, into writer: inout JSONWriter) {
        writer.key(name)
        writer.beginArray()
        for finding in findings {
            writer.beginObject()
            writer.member("type", finding.type)
            writer.member("holder", finding.holder)
            writer.endObject()
        }
        writer.endArray()
    }
}
