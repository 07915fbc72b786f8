import Usher

/// Where each exhibit begins.
struct MenuScreen: Screen {
    enum Event: Codable {
        case echo(text: String), leak, deep(count: Int), refuse, fail, alert, sheet, cover, popover, actions, rest,
            wake, startOver, end
    }

    static let examples: [Event] = [
        .echo(text: "hello"), .leak, .deep(count: 10), .refuse, .fail, .alert, .sheet, .cover,
        .popover, .actions, .rest, .wake, .startOver, .end,
    ]
}

/// Says again what it was told.
struct EchoScreen: Screen {
    enum Event: Codable {
        case echo(text: String)
    }

    static let examples: [Event] = [.echo(text: "again")]

    var text: String
}

/// One of many.
struct StepScreen: Screen {
    enum Event: Codable, CaseIterable { case next }

    let step: Int
}

/// What lies over the others.
struct CoverScreen: Screen {
    enum Event: Codable, CaseIterable { case close, more }
}

/// Asks before it goes on.
struct QuestionScreen: Screen {
    enum Event: Codable, CaseIterable { case yes, no }

    let question: String
}

/// Waits for nothing any more.
struct RestedScreen: Screen {
    enum Event: Codable, CaseIterable { case done }
}
