import UIKit

@MainActor
final class LoginViewModel {
    private(set) var isBusy = false
    var onLogIn: ((User) -> Void)?
    var onFailure: ((String) -> Void)?
    var onSignUp: (() -> Void)?
    private let repository: any CinemaRepository

    init(repository: any CinemaRepository) {
        self.repository = repository
    }

    func logIn(name: String, password: String) {
        guard !isBusy else { return }
        isBusy = true
        repository.logIn(name: name, password: password) { [weak self] result in self?.receive(result) }
    }

    func signUp() {
        onSignUp?()
    }

    private func receive(_ result: Result<User, CinemaError>) {
        isBusy = false
        switch result {
        case .success(let user): onLogIn?(user)
        case .failure(let error): onFailure?(error.message)
        }
    }
}
