import Usher

/// The user's own page, with the logout.
struct MyPageScreen: Screen {
    let user: User

    enum Event: Codable, CaseIterable { case logout }
}
