/// A question of the system that no controller of the app presents, such as whether the user shows their face.
///
/// A separate window above the app's windows presents the prompt, as on a phone: the app's controllers stay visible,
/// and get no life cycle calls.
@MainActor
package final class SystemPrompt<Choice: SystemChoice>: UIViewController, ScreenController {
    package let content: SystemScreen<Choice>
    private let cancellation: Choice
    private var completion: ((Choice?) throws -> Void)?
    /// The prompt's window, which the prompt retains until it ends, because no other object retains the window.
    private var window: UIWindow?

    /// Creates a prompt.
    ///
    /// - Parameters:
    ///   - name: The screen's name in the protocol.
    ///   - items: The screen's items.
    ///   - cancellation: The choice if the user pulls the prompt down, or if a unit test has no session.
    ///   - completion: Called with the user's choice, or with nil if the app has withdrawn the prompt. The closure
    ///     throws `Refusal` to reject the choice.
    package init(
        named name: String, items: [String], cancellation: Choice, _ completion: @escaping (Choice?) throws -> Void
    ) {
        content = SystemScreen(named: name, items: items)
        self.cancellation = cancellation
        self.completion = completion
        super.init(nibName: nil, bundle: nil)
    }

    package required init?(coder: NSCoder) {
        return nil
    }

    /// Asks the user.
    package func show() {
        guard UIKitSession.current != nil else { return end(with: cancellation) }
        let window = UIWindow(frame: .zero)
        let presenter = UIViewController()
        window.windowLevel = .alert + 1
        window.rootViewController = presenter
        window.isHidden = false
        self.window = window
        presenter.present(self, animated: true)
    }

    /// Ends the prompt without a choice of the user.
    package func withdraw() {
        dismiss(animated: true)
        end(with: nil)
    }

    package func handle(_ choice: Choice) {
        dismiss(animated: true)
        end(with: choice)
    }

    private func end(with choice: Choice?) {
        guard let completion = take(&completion, leaving: nil) else { return }
        guard let session = UIKitSession.current else { return _ = try? completion(choice) }
        session.enqueue { [self] in
            window = nil
            try completion(choice)
        }
    }
}

extension SystemPrompt: SystemController {
    package func didEndByUser() { end(with: cancellation) }
}
