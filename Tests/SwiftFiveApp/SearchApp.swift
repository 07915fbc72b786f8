import Combine
import UIKit
import Usher

/// An app that calls its repository in all common ways.
public enum SearchApp: App {
    /// Creates a root that shows the search.
    public static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let viewModel = SearchViewModel(repository: EffectWordRepository())
            window.rootViewController = SearchViewController(viewModel: viewModel)
            return viewModel
        }
    }
}

/// The app's own protocol, which the phone's repository implements with a network.
protocol WordRepository {
    func words(for text: String, completion: @escaping (Result<[String], Error>) -> Void)
    func words(for text: String) async throws -> [String]
    func observableWords(for text: String) -> Observable<[String]>
    func publishedWords(for text: String) -> AnyPublisher<[String], Error>
}

/// The repository on the engine.
final class EffectWordRepository: WordRepository {
    func words(for text: String, completion: @escaping (Result<[String], Error>) -> Void) {
        SuggestWords(text: text).perform { completion($0.mapError { $0 }) }
    }

    func words(for text: String) async throws -> [String] {
        try await SuggestWords(text: text).output()
    }

    func observableWords(for text: String) -> Observable<[String]> { .effect(SuggestWords(text: text)) }

    func publishedWords(for text: String) -> AnyPublisher<[String], Error> {
        SuggestWords(text: text).publisher().mapError { $0 }.eraseToAnyPublisher()
    }
}

struct SuggestWords: Effect {
    let text: String

    func run(_ context: EffectContext<NoServices>) async throws -> [String] { [text, text + "s"] }
}

/// A view model as teams write it: without an actor, with work whose results are handled by `self`.
final class SearchViewModel {
    private let repository: WordRepository
    private(set) var words: [String] = []
    private var disposable: Disposable?
    private var cancellables: Set<AnyCancellable> = []

    init(repository: WordRepository) {
        self.repository = repository
    }

    func search(_ text: String, by way: String) {
        switch way {
        case "closure":
            repository.words(for: text) { [weak self] result in
                DispatchQueue.main.async { self?.words = (try? result.get()) ?? [] }
            }
        case "async": Task { words = try await repository.words(for: text) }
        case "mainActor": Task { @MainActor in self.words = try await repository.words(for: text) }
        case "observable": observe(text)
        default:
            repository.publishedWords(for: text).receive(on: DispatchQueue.main)
                .sink(receiveCompletion: { _ in }, receiveValue: { [weak self] in self?.words = $0 })
                .store(in: &cancellables)
        }
    }

    func cancel() {
        disposable?.dispose()
        cancellables = []
    }

    private func observe(_ text: String) {
        disposable = repository.observableWords(for: text)
            .delaySubscription(.milliseconds(300), scheduler: SessionScheduler.instance)
            .observe(on: SessionScheduler.instance)
            .subscribe { [weak self] event in
                if case .next(let words) = event { self?.words = words }
            }
    }
}

final class SearchViewController: UIViewController {
    private let viewModel: SearchViewModel

    init(viewModel: SearchViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }
}

struct SearchScreen: Screen, Equatable {
    enum Event: Codable {
        case search(text: String, way: String)
        case cancel
    }

    static let examples: [Event] = [.search(text: "a", way: "async"), .cancel]

    let words: [String]
}

extension SearchViewController: ScreenController {
    var content: SearchScreen { SearchScreen(words: viewModel.words) }

    func handle(_ event: SearchScreen.Event) {
        switch event {
        case .search(let text, let way): viewModel.search(text, by: way)
        case .cancel: viewModel.cancel()
        }
    }
}
