import UIKit

enum LoginEvent: Codable {
    case close
    case showSignUp
    case login(name: String, password: String)
}

final class LoginViewController: EventViewController<LoginEvent> {
    var failure: String?
}

enum SetNameEvent: Codable {
    case next(name: String)
}

final class SetNameViewController: EventViewController<SetNameEvent> {
}

enum SetInterestedJobEvent: Codable {
    case next(job: String)
}

final class SetInterestedJobViewController: EventViewController<SetInterestedJobEvent> {
}

enum SetSubwayEvent: Codable {
    case next(station: String)
}

final class SetSubwayViewController: EventViewController<SetSubwayEvent> {
}

enum WelcomeEvent: Codable, CaseIterable {
    case done
}

final class WelcomeViewController: EventViewController<WelcomeEvent> {
    let name: String
    let job: String
    let station: String

    init(name: String, job: String, station: String) {
        self.name = name
        self.job = job
        self.station = station
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}
