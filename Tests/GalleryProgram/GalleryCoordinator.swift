import Usher

final class GalleryCoordinator: Coordinator<String> {
    override func start() {
        push(MenuScreen()) { me, event in
            switch event {
            case .echo(let text): me.echo(text)
            case .leak: me.leak()
            case .deep(let count): for step in 1...min(max(1, count), 1_000) { me.descend(to: step) }
            case .refuse: throw Refusal("the gallery is closed on Mondays; come back tomorrow")
            case .fail: throw BrokenExhibit()
            case .alert: me.ask(as: .alert)
            case .sheet: me.cover(as: .sheet)
            case .cover: me.cover(as: .fullScreen)
            case .popover: me.cover(as: .popover)
            case .actions: me.ask(as: .actionSheet)
            case .rest: me.rest()
            case .wake: me.perform(Wake()) { _, _ in }
            case .startOver: try me.startOver(with: NoOptions())
            case .end: me.finish("seen it all")
            }
        }
    }

    private func echo(_ text: String) {
        push(EchoScreen(text: text)) { me, event in
            if case .echo(let text) = event { me.echo(text) }
        }
    }

    private func descend(to step: Int) {
        push(StepScreen(step: step)) { me, _ in me.descend(to: step + 1) }
    }

    private func ask(as style: PresentationStyle) {
        present(QuestionScreen(question: "Go on?"), as: style) { me, event in
            if event == .yes { me.cover(as: .sheet) }
        }
    }

    private func cover(as style: PresentationStyle) {
        present(CoverScreen(), as: style) { me, event in
            switch event {
            case .close: me.dismiss()
            case .more: me.ask(as: .alert)
            }
        }
    }

    private func rest() {
        perform(Rest()) { me, _ in
            me.push(RestedScreen()) { me, _ in me.pop() }
        }
    }

    private func leak() {
        let child = KeptCoordinator()
        child.itself = child
        start(child)
        child.cancel()
    }
}

extension GalleryCoordinator: MessageReceiver {
    enum Message: Codable { case note(text: String) }

    func receive(_ message: Message) {
        switch message {
        case .note(let text): echo(text)
        }
    }
}

/// Keeps itself alive: the mistake that the page has to show.
final class KeptCoordinator: Coordinator<Never> {
    var itself: KeptCoordinator?
}

/// An error that nobody foresaw.
struct BrokenExhibit: Error {}
