import UIKit

@MainActor
final class ProfileViewModel {
    let user: User
    var onSettings: (() -> Void)?
    var onLogOut: (() -> Void)?

    init(user: User) {
        self.user = user
    }

    func showSettings() {
        onSettings?()
    }

    func logOut() {
        onLogOut?()
    }
}

@MainActor
final class SettingsViewModel {
    var onClose: (() -> Void)?
    private let userStore: UserStore

    init(userStore: UserStore) {
        self.userStore = userStore
    }

    var wantsReminders: Bool { userStore.wantsReminders }

    func toggleReminders() {
        userStore.wantsReminders.toggle()
    }

    func close() {
        onClose?()
    }
}
