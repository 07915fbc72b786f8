import Usher

/// The screen of an alert.
struct AlertScreen: ScreenWrapper, Equatable {
    enum Event: Codable, LabelledEvent {
        /// One of the actions, with the texts of the fields.
        case tap(action: String, texts: [Secret<String>]?)

        var label: String {
            switch self {
            case .tap(let action, _): "tap \(action)"
            }
        }
    }

    static let examples: [Event] = [.tap(action: "OK", texts: nil)]
    static let wrapped: (any Screen.Type)? = nil

    /// Each of its actions; an action that wants texts refuses, for they have no example.
    var currentExamples: [Event] { actions.map { .tap(action: $0, texts: nil) } }

    let title: String?
    let message: String?
    let actions: [String]
    /// The fields' placeholders.
    let fields: [String]
    /// The texts that the app has put into them; none for a field that hides its text, or that the user has filled.
    let texts: [String]?
    /// The reason why a tap beside it does not close it.
    let backRefusal: String?

    private enum CodingKeys: String, CodingKey { case title, message, actions, fields, texts }

    @MainActor
    init(_ alert: UIAlertController, in session: UIKitSession) {
        title = alert.title
        message = alert.message
        actions = alert.actions.compactMap(\.title)
        fields = alert.textFields?.map { $0.placeholder ?? "" } ?? []
        let texts = alert.visibleTexts
        self.texts = texts.allSatisfy(\.isEmpty) ? nil : texts
        backRefusal = alert.ignoresTapBeside(on: session.device) ? "it has no cancel action" : nil
    }
}

/// A showing of an alert.
final class AlertRecord: ScreenRecord {
    private let handle: Handle<AlertScreen>
    /// Never dangling: it keeps what shows this.
    private unowned let session: UIKitSession

    init(_ alert: UIAlertController, on coordinator: AnyCoordinator, in session: UIKitSession) {
        self.session = session
        handle = coordinator.push(AlertScreen(alert, in: session), keeping: alert) { [unowned session] alert, event in
            switch event {
            case .tap(let action, let texts): try alert.choose(action, texts ?? [], in: session)
            }
        }
        super.init(alert)
    }

    override var screenID: Int? { handle.id }

    override func refresh(refusal: ContainerRefusal?) {
        guard let alert = controller as? UIAlertController else { return }
        let screen = AlertScreen(alert, in: session)
        if let shown = handle.screen, screen != shown { handle.update { $0 = screen } }
    }
}
