import Usher

struct AlertScreen: ScreenWrapper, Equatable {
    enum Event: Codable, LabelledEvent {
        /// A tap on an action, with the fields' texts.
        case tap(action: String, texts: [Secret<String>]?)

        var label: String {
            switch self {
            case .tap(let action, _): "tap \(action)"
            }
        }
    }

    static let examples: [Event] = [.tap(action: "OK", texts: nil)]
    static let wrapped: (any Screen.Type)? = nil

    /// A tap on each action, without texts, because texts have no examples; taps that need texts are refused.
    var currentExamples: [Event] { actions.map { .tap(action: $0, texts: nil) } }

    let title: String?
    let message: String?
    let actions: [String]
    /// The fields' placeholders.
    let fields: [String]
    /// The texts that the app has set; empty for a secure field and for a field that the user has filled.
    let texts: [String]?
    /// The reason why a tap beside the alert does not close the alert.
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
        backRefusal = alert.ignoresTapBeside(on: session.device) ? "the alert has no cancel action" : nil
    }
}

final class AlertRecord: ScreenRecord {
    private let handle: Handle<AlertScreen>
    /// Never dangling, because the session owns the object that shows this alert.
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
