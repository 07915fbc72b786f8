import Usher
import UsherExploration
import UsherProcess

/// The maps of the apps as JSON.
///
/// Only one app is explored at a time. The first request for an app's map starts the app's exploration. The app is
/// explored again if a request needs wider bounds, or if the system had too few processes for a part of the
/// exploration.
actor AppMaps {
    /// Returns the place where an app's inputs are tried.
    typealias Place = @Sendable (any App.Type) -> any ProbePlace

    private struct Map {
        let json: [UInt8]
        /// A Boolean value indicating whether another exploration may find more.
        let isPostponed: Bool
    }

    /// An exploration that was started, with its bounds.
    private struct Begun {
        let task: Task<Map, any Error>
        let bounds: Explorer.Bounds

        /// Returns bounds that include these bounds and the wanted bounds.
        func widened(by wanted: Explorer.Bounds) -> Explorer.Bounds {
            var wider = bounds
            wider.states = max(wider.states, wanted.states)
            wider.depth = max(wider.depth, wanted.depth)
            wider.time = max(wider.time, wanted.time)
            return wider
        }

        func covers(_ wanted: Explorer.Bounds) -> Bool {
            bounds.states >= wanted.states && bounds.depth >= wanted.depth && bounds.time >= wanted.time
        }
    }

    private let apps: [any App.Type]
    private let place: Place
    private var maps: [String: Begun] = [:]
    /// The exploration that was started last.
    private var last: Task<Map, any Error>?

    init(_ apps: [any App.Type], in place: @escaping Place) {
        self.apps = apps
        self.place = place
    }

    /// The default bounds: as much as fits into a picture, in a time that a user is willing to wait.
    static var bounds: Explorer.Bounds {
        var bounds = Explorer.Bounds()
        bounds.states = 500
        bounds.depth = 100
        bounds.time = .seconds(20)
        return bounds
    }

    /// Tries inputs in child processes, on half of the processors, so that the other processors serve requests.
    static let children: Place = { _ in ChildProbes(width: max(1, ProcessEnvironment.processorCount / 2)) }

    /// Returns the map of an app, which may have been made with wider bounds; nil if there is no such app.
    ///
    /// The exploration continues even if the client disconnects.
    ///
    /// - Throws: `JSONError` if one of the app's texts does not encode.
    func map(of name: String, within bounds: Explorer.Bounds = AppMaps.bounds) async throws -> [UInt8]? {
        guard let app = apps.first(where: { $0.name == name }) else { return nil }
        let known = maps[name]
        let task =
            known.flatMap { $0.covers(bounds) ? $0.task : nil }
            ?? begin(app, within: known?.widened(by: bounds) ?? bounds)
        let map = await task.result
        if (try? map.get().isPostponed) ?? true, maps[name]?.task == task { maps[name] = nil }
        return try map.get().json
    }

    private func begin(_ app: any App.Type, within bounds: Explorer.Bounds) -> Task<Map, any Error> {
        let explorer = Explorer(app, from: ExplorationOpening(app: app.name), within: bounds, in: place(app))
        let before = last
        let task = Task.detached(priority: .background) {
            _ = await before?.result
            let exploration = await explorer.explore()
            let text = try ExplorationText(exploration, exploration.findings).json(includingScripts: false)
            return Map(json: Array(text.utf8), isPostponed: exploration.isPostponed)
        }
        (maps[app.name], last) = (Begun(task: task, bounds: bounds), task)
        return task
    }
}
