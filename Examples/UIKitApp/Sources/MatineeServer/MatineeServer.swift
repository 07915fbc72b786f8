import UIKit
import Usher
import UsherServer

/// The iOS app on a server: `swift run MatineeServer serve`.
@main
enum MatineeServer: ServerProgram {
    static var apps: [any App.Type] { [MatineeApp.self] }
}

/// The app's entry point, which creates the delegates as the system does on a phone.
enum MatineeApp: App {
    static var screens: [any Screen.Type] {
        [
            CodeScreen.self, ConfirmationScreen.self, FilmDetailScreen.self, FilmListScreen.self, LoginScreen.self,
            NameScreen.self, PaymentScreen.self, ProfileScreen.self, SeatsScreen.self, SettingsScreen.self,
            TicketDetailScreen.self, TicketListScreen.self,
        ]
    }

    static var flowHosts: [any FlowHost.Type] { [UIKitCoordinator.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator(delegate: AppDelegate(), scene: SceneDelegate(repository: EffectCinemaRepository()))
    }

    static func services() -> Cinema { Cinema() }
}
