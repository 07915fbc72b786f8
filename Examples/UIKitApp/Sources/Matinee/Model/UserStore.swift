import UIKit

/// The user who is logged in, stored in the defaults.
@MainActor
final class UserStore {
    private let key = "user"

    var user: User? {
        get { UserDefaults.standard.string(forKey: key).map(User.init) }
        set { UserDefaults.standard.set(newValue?.name, forKey: key) }
    }

    var wantsReminders: Bool {
        get { UserDefaults.standard.bool(forKey: "reminders") }
        set { UserDefaults.standard.set(newValue, forKey: "reminders") }
    }
}
