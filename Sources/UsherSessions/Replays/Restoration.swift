import Usher
import UsherJournal

/// A tree that was built again, as far as this build could follow its session.
struct Restoration {
    let tree: Tree
    /// Where it could not; the tree then stands at the input before, at a revision behind all others.
    var divergence: Divergence?
    /// What says so in the session's record, for the next replay.
    var entry: Entry?
    /// Inputs that no build will follow again, and that hold secrets.
    var forsaken: [Int] = []
}

extension Replay {
    /// Builds the tree as far as this build can follow.
    ///
    /// - Parameter time: Now: a divergence is an entry of its own.
    /// - Throws: What keeps it from even beginning the session.
    func restore(at time: Timestamp) async throws -> sending Restoration {
        var path = try Path(entries)
        do {
            return Restoration(tree: try await tree(along: path), forsaken: forsaken(by: path))
        } catch let divergence as Divergence {
            path = path.before(divergence)
            let tree = try await tree(upTo: &path)
            let entry = resume(tree, after: path, divergence, at: time)
            return Restoration(tree: tree, divergence: divergence, entry: entry, forsaken: forsaken(by: path))
        }
    }

    /// Builds the tree along a path, shortened at each further divergence: a coordinator that is not deterministic may
    /// come to another end each time.
    private func tree(upTo path: inout Path) async throws -> sending Tree {
        while true {
            do {
                return try await tree(along: path)
            } catch let divergence as Divergence {
                path = path.before(divergence)
            }
        }
    }

    private func resume(_ tree: Tree, after path: Path, _ divergence: Divergence, at time: Timestamp) -> Entry {
        let agreed = path.isCreationCompared ? path.entries.last?.revision ?? 0 : 0
        let revision = (entries.last?.revision ?? 0) + 1
        let resumption = Resumption(after: agreed, version: version, reason: divergence.description)
        let identifiers = entries.reduce(into: tree.identifiers) { identifiers, entry in
            identifiers = NextIdentifiers(
                screen: max(identifiers.screen, entry.after.screen),
                coordinator: max(identifiers.coordinator, entry.after.coordinator))
        }
        tree.resume(at: revision, identifiers: identifiers, warning: resumption.warning)
        return Entry(
            .divergence, revision: revision, time: time.milliseconds, before: .init(identifiers),
            after: .init(identifiers), digest: tree.digest, visible: tree.visibleScreen, payload: resumption.json)
    }

    private func forsaken(by path: Path) -> [Int] {
        let kept = Set(path.entries.map(\.revision))
        return entries.filter { !$0.secrets.isEmpty && !$0.isErased && !kept.contains($0.revision) }.map(\.revision)
    }

    /// The app's version in this build.
    private var version: String {
        entries.first.flatMap { try? creation($0) }?.app.version ?? ""
    }
}
