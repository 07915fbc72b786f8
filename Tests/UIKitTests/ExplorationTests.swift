import Testing
import UIKit
import Usher
import UsherExploration

/// Tests of the findings of an exploration that distinguishes an app's screens only by their titles.
@Suite
struct ExplorationTests {
    @Test func `the exploration finds no dead end in an onboarding of several pages, and its paths name the taps`()
        async
    {
        let exploration = await explore(includingStates: false)
        let findings = exploration.findings
        #expect(findings.filter(\.kind.isWrong).map(\.text) == [])
        #expect(
            findings.filter { $0.kind == .contents }.map(\.text) == [
                "onboarding: these screens occurred with other contents, which the exploration did not try; to try them, set "
                    + "--with-states"
            ])
        #expect(exploration.passages.map(\.offer.label).prefix(2) == ["tap Next", "tap Help"])
    }

    @Test func `an exploration that compares contents visits all pages and reports nothing`() async {
        let exploration = await explore(includingStates: true)
        #expect(exploration.findings.filter { $0.kind == .contents || $0.kind.isWrong }.map(\.text) == [])
        #expect(exploration.states.count == 3)
    }

    private func explore(includingStates: Bool) async -> Exploration {
        let opening = ExplorationOpening(app: OnboardingApp.name)
        let place = ProbesInProcess(OnboardingApp.self)
        return await Explorer(OnboardingApp.self, from: opening, includingStates: includingStates, in: place).explore()
    }
}

private enum OnboardingApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = OnboardingViewController()
            return nil
        }
    }
}

private final class OnboardingViewController: UIViewController {
    private var page = 1

    override func viewDidLoad() { title = "Page 1" }

    override var actionsOfScreen: [UIAction] {
        [
            UIAction(title: "Next") { [weak self] _ in self?.goOn() },
            UIAction(title: "Help") { _ in },
        ]
    }

    private func goOn() {
        page = page % 3 + 1
        title = "Page \(page)"
    }
}
