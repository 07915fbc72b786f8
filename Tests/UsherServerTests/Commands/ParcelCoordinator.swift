import Usher

final class ParcelCoordinator: Coordinator<Never>, MessageReceiver {
    enum Message: Codable { case arrived(name: String, code: Secret<String>) }

    private let isRevised: Bool

    init(isRevised: Bool) {
        self.isRevised = isRevised
    }

    override func start() {
        push(ParcelScreen()) { me, event in
            switch event {
            case .send(let name): me.send(name)
            case .chain: me.perform(SendParcel(name: "first")) { me, _ in me.send("second") }
            case .remind(let time): me.remind(after: time)
            case .refuse: me.perform(SendParcel(name: "wrong")) { _, _ in throw Refusal("not this") }
            case .look: me.look()
            }
        }
    }

    func receive(_ message: Message) {
        push(NewsScreen()) { _, _ in }
    }

    private func send(_ name: String) {
        perform(SendParcel(name: name)) { me, result in
            let text = (try? result.get().name) ?? "none"
            me.present(ReceiptScreen(name: text), as: .sheet) { _, _ in }
        }
    }

    private func remind(after milliseconds: Int) {
        after(.milliseconds(milliseconds)) { me in
            me.push(ReminderScreen()) { _, _ in }
            me.perform(SendParcel(name: "late")) { _, _ in }
        }
    }

    private func look() {
        if isRevised {
            present(ReceiptScreen(name: "revised"), as: .sheet) { _, _ in }
        } else {
            push(NewsScreen()) { _, _ in }
        }
    }
}
