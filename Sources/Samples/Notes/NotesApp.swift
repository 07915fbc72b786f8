package import Usher

/// A list of notes as MVVM with coordinators: view, view model, coordinator, in this direction only (`notes`).
package enum NotesApp: App {
    /// Every screen.
    package static var screens: [any Screen.Type] {
        [
            DetailScreen.self,
            MainScreen.self,
            SettingsScreen.self,
            SubScreen.self,
        ]
    }

    /// The coordinator of the list, which is the root.
    package static func root(_ options: NoOptions) -> sending AnyCoordinator {
        MainCoordinator()
    }
}
