import Usher

/// An app that shows some screens before it refuses an input, so that their ids are used up.
enum HastyApp: App {
    struct Options: Codable, Sendable {
        var title = "start"
    }

    static var options: Options { Options() }
    static var flowHosts: [any FlowHost.Type] { [HastyCoordinator.self] }

    static func root(_ options: Options) -> sending AnyCoordinator { HastyCoordinator(title: options.title) }
}

struct HastyScreen: Screen {
    enum Event: Codable { case show(title: String), sheet, refused, tell(secret: Secret<String>) }
    static let examples: [Event] = [.show(title: "a"), .sheet, .refused, .tell(secret: "psst")]

    let title: String
}

final class HastyCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: Codable {
        case place(title: String, secret: Secret<String>? = nil)
        case later
    }

    static let examples: [Flow] = [.place(title: "there"), .later]

    private let title: String

    init(title: String) {
        self.title = title
    }

    override func start() {
        show(title)
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        switch flow {
        case .place(let title, _): show(title)
        case .later: throw Later()
        }
        return self
    }

    private func show(_ title: String) {
        push(HastyScreen(title: title)) { me, event in try me.handle(event) }
    }

    private func handle(_ event: HastyScreen.Event) throws {
        switch event {
        case .show(let title): show(title)
        case .sheet: present(HastyScreen(title: "sheet"), as: .sheet) { me, event in try me.handle(event) }
        case .tell: show("told")
        case .refused:
            show("for nothing")
            throw Refusal("not like this")
        }
    }
}
