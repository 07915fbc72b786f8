import Combine
import UIKit
import Usher

/// An app that runs trials in a session: each input is some words of a script.
enum PipelineApp: App {
    static let screens: [any Screen.Type] = [PipelineScreen.self]

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let controller = PipelineController()
            window.rootViewController = controller
            return controller
        }
    }
}

/// The effect that a pipeline waits for.
struct Lookup: Effect {
    let text: String

    func run(_ context: EffectContext<NoServices>) async throws -> String { text }
}

struct PipelineScreen: Screen, Equatable {
    enum Event: Codable {
        case begin(pipeline: Pipeline)
        /// Words with `&` between them.
        case perform(words: String)
    }

    static let examples: [Event] = [.begin(pipeline: .delay), .perform(words: "+1")]

    let trace: String
}

/// A pipeline whose time is the session's.
enum Pipeline: String, Codable, CaseIterable {
    case receiveOnQueue, receiveOnLoop, subscribeOn, delay, debounce, throttleFirst, throttleLatest, timeout
    case timeoutWithError, timer, notifications, effect, values

    func publisher(_ source: Source) -> AnyPublisher<String, Oops> {
        let queue = DispatchQueue.main
        return switch self {
        case .receiveOnQueue: source.receive(on: queue).eraseToAnyPublisher()
        case .receiveOnLoop: source.receive(on: RunLoop.main).eraseToAnyPublisher()
        case .subscribeOn: source.subscribe(on: queue).eraseToAnyPublisher()
        case .delay: source.delay(for: .seconds(1), scheduler: queue).eraseToAnyPublisher()
        case .debounce: source.debounce(for: .milliseconds(300), scheduler: RunLoop.main).eraseToAnyPublisher()
        case .throttleFirst: source.throttle(for: 1, scheduler: queue, latest: false).eraseToAnyPublisher()
        case .throttleLatest: source.throttle(for: 1.0, scheduler: queue, latest: true).eraseToAnyPublisher()
        case .timeout: source.timeout(.seconds(1), scheduler: queue).eraseToAnyPublisher()
        case .timeoutWithError:
            source.timeout(.seconds(1), scheduler: queue) { Oops(text: "late") }.eraseToAnyPublisher()
        case .timer:
            Timer.publish(every: 1, on: .main, in: .common).autoconnect().map { _ in "tick" }
                .setFailureType(to: Oops.self).eraseToAnyPublisher()
        case .notifications:
            NotificationCenter.default.publisher(for: .passing).map { _ in "note" }.setFailureType(to: Oops.self)
                .eraseToAnyPublisher()
        case .effect:
            Lookup(text: "found").publisher().mapError { _ in Oops() }.eraseToAnyPublisher()
        case .values: source.eraseToAnyPublisher()
        }
    }
}

extension Notification.Name {
    static let passing = Notification.Name("passing")
}

private final class PipelineController: UIViewController, ScreenController {
    private var trial: Trial?
    private var source: Source?
    private let trace = Trace()
    private var task: Task<Void, Never>?

    var content: PipelineScreen { PipelineScreen(trace: trial?.trace.text ?? trace.text) }

    func handle(_ event: PipelineScreen.Event) throws {
        switch event {
        case .begin(.values): follow(Source("", trace))
        case .begin(let pipeline): trial = Trial { source, _ in pipeline.publisher(source) }
        case .perform(let words):
            for word in words.split(separator: "&") { perform(String(word)) }
        }
    }

    private func perform(_ word: String) {
        switch word {
        case "=": trial?.trace.note("=")
        case "n": NotificationCenter.default.post(name: .passing, object: nil)
        case "c" where task != nil: task?.cancel()
        case let time where time.hasPrefix("~"): (trial?.trace ?? trace).note(time)
        case let word:
            trial?.perform(word)
            if word == "|" {
                source?.finish(.finished)
            } else if word == "x" {
                source?.finish(.failure(Oops()))
            } else {
                source?.send(word)
            }
        }
    }

    private func follow(_ source: Source) {
        self.source = source
        task = Task { [trace] in
            do {
                for try await value in source.values { trace.note("got \(value)") }
                trace.note("over")
            } catch { trace.note("\((error as? Oops)?.text ?? "\(error)")") }
        }
    }
}
