import Usher

extension SessionRegistry {
    /// Shows a session's states to a watcher from now on.
    ///
    /// - Parameters:
    ///   - watcher: Who is shown them, until `unwatch`.
    ///   - id: The key to the session.
    /// - Returns: The state as it stands; what the watcher has seen by then may be older.
    /// - Throws: `SessionError`, `tooManyWatchers` where there is no room.
    package func watch(_ id: SessionID, by watcher: any SessionWatcher) async throws(SessionError) -> Snapshot {
        guard settings.watches.add(watcher, of: id) else { throw .tooManyWatchers }
        do throws(SessionError) {
            return try await snapshot(of: id)
        } catch {
            unwatch(id, by: watcher)
            throw error
        }
    }

    /// Shows a watcher nothing more.
    ///
    /// - Parameters:
    ///   - id: The key to the session.
    ///   - watcher: Who was shown its states.
    package func unwatch(_ id: SessionID, by watcher: any SessionWatcher) {
        settings.watches.remove(watcher, of: id)
        reclaim.note(left: { watcherCount })
    }

    /// Lets no answer wait any more for what a client need not wait for, for the server is about to go.
    package func endWaits() {
        settings.waits.close()
    }

    /// How many watch a session.
    package var watcherCount: Int { settings.watches.count }

    /// What a session shows once it is beyond a revision, or after a time.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - known: The revision that the client knows.
    ///   - duration: How long to wait.
    /// - Throws: `SessionError`.
    package func snapshot(
        of id: SessionID, beyond known: Int, within duration: Duration
    ) async throws(SessionError) -> Snapshot {
        let watcher = RevisionWatcher(beyond: known)
        let first = try await watch(id, by: watcher)
        defer { unwatch(id, by: watcher) }
        guard first.revision == known else { return first }
        await settings.waits.run(
            within: duration, by: settings.clock, { await watcher.wait() }, endingBy: { watcher.end() })
        return try await snapshot(of: id)
    }
}
