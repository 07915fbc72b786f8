import UIKit

@MainActor
final class NameViewModel {
    var onNext: ((String) -> Void)?
    private(set) var hint: String?

    func next(_ name: String) {
        guard !name.isEmpty else {
            hint = "Please enter a name"
            return
        }
        hint = nil
        onNext?(name)
    }
}

@MainActor
final class CodeViewModel {
    var onConfirm: ((User) -> Void)?
    let name: String
    private(set) var hint: String?

    init(name: String) {
        self.name = name
    }

    func confirm(_ code: String) {
        guard code == "1234" else {
            hint = "That is not the code of the mail"
            return
        }
        onConfirm?(User(name: name))
    }
}
