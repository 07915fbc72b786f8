package import Usher

/// A list of notes with MVVM and coordinators; each view has a view model, which has a coordinator (`notes`).
package enum NotesApp: App {
    package static var screens: [any Screen.Type] {
        [
            DetailScreen.self,
            MainScreen.self,
            SettingsScreen.self,
            SubScreen.self,
        ]
    }

    /// Returns the coordinator of the list, which is the root.
    package static func root(_ options: NoOptions) -> sending AnyCoordinator {
        MainCoordinator()
    }
}
