import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of the verdict on objects that stay in memory at a session's end.
@Suite
struct CycleTests {
    @Test(arguments: [
        (Cycle.viewModel, "CyclicViewController.viewModel.onTap → captured CyclicViewController"),
        (
            .button,
            "CyclicViewController.button.handlers[0].perform → captured UIAction.handler → captured CyclicViewController"
        ),
        (
            .stream,
            "CyclicViewController.bag.items[0].dispose → captured Stream<Int>.observers[0] → captured CyclicViewController"
        ),
    ])
    fileprivate func `the report of a reference cycle names each property and each captured value on the cycle`(
        _ cycle: Cycle, _ words: String
    ) throws {
        try withKnownIssue {
            let app = try AppUnderTest(CyclicApp.self, options: .init(cycle: cycle))
            app.finishTest()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("held by \(words)") }
        }
    }
}

private enum Cycle: String, Codable {
    case viewModel, button, stream
}

private enum CyclicApp: App {
    struct Options: Codable, Sendable {
        var cycle = Cycle.viewModel
    }

    static let options = Options()

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = CyclicViewController(options.cycle)
            return nil
        }
    }
}

private final class CyclicViewController: UIViewController {
    final class ViewModel {
        var onTap: (() -> Void)?
    }

    private let viewModel = ViewModel()
    private let bag = Bag()
    private var button: UIButton?
    private let cycle: Cycle

    init(_ cycle: Cycle) {
        self.cycle = cycle
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        switch cycle {
        case .viewModel: viewModel.onTap = { self.tap() }
        case .button: button = UIButton(primaryAction: UIAction(title: "Tap") { _ in self.tap() })
        case .stream:
            let stream = Stream<Int>()
            stream.subscribe { _ in self.tap() }.disposed(by: bag)
        }
    }

    private func tap() {}
}

/// A stream of events like those of reactive libraries.
private final class Stream<Element> {
    private var observers: [(Element) -> Void] = []

    func subscribe(_ next: @escaping (Element) -> Void) -> Disposable {
        observers.append(next)
        return Disposable { self.observers = [] }
    }
}

private final class Disposable {
    private let dispose: () -> Void

    init(_ dispose: @escaping () -> Void) {
        self.dispose = dispose
    }

    func disposed(by bag: Bag) { bag.items.append(self) }
}

private final class Bag {
    var items: [Disposable] = []
}
