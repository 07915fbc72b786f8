import Usher

/// A screen of version 2, without a fallback.
struct CellarScreen: Screen {
    static let version = 2
    enum Event: String, Codable, CaseIterable { case open }
}

/// A screen of version 3, which older clients see in an older form.
struct CardScreen: Screen {
    static let version = 3
    enum Event: String, Codable, CaseIterable { case pay, freeze }

    var owner: String
    var isSaved = true

    var backRefusal: String? { isSaved ? nil : "save the card first" }

    func fallback(for client: Client) -> (any Screen<Event>)? { CardScreen2(title: "\(owner)'s card") }
}

/// The form of `CardScreen` in version 2.
struct CardScreen2: Screen {
    static let name = "card"
    static let version = 2
    typealias Event = CardScreen.Event

    let title: String

    func fallback(for client: Client) -> (any Screen<Event>)? {
        client.version == "none" ? nil : CardScreen1(text: title)
    }
}

/// The form of `CardScreen` in version 1, which could only pay.
struct CardScreen1: Screen {
    static let name = "card"
    typealias Event = CardScreen.Event
    static let examples: [Event] = [.pay]

    let text: String
    var backRefusal: String? { "this is an old card" }
}

/// A screen whose fallback is the screen itself, which does not help.
struct LoopScreen: Screen {
    static let version = 2
    func fallback(for client: Client) -> (any Screen<Never>)? { self }
}

/// The fallback of an app.
struct UpdateScreen: Screen {
    let missing: String
    let client: String
}
