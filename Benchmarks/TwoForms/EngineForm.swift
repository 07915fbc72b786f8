import Usher

/// The app, written for the engine.
enum EngineParcelsApp: App {
    static var name: String { "parcels-engine" }

    static var screens: [any Screen.Type] {
        [ParcelListScreen.self, ParcelDetailScreen.self, DutyScreen.self, AddressScreen.self]
    }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { ParcelTabsCoordinator() }
}

/// Shows the two tabs.
private final class ParcelTabsCoordinator: Coordinator<Never> {
    enum Tab: String, CaseIterable { case parcels = "Parcels", address = "Address" }

    override func start() {
        tabs(Tab.self, selected: .parcels) { _, tab in
            switch tab {
            case .parcels: ParcelListCoordinator()
            case .address: AddressCoordinator()
            }
        }
    }
}

/// Shows the list of parcels, and the selected parcel.
private final class ParcelListCoordinator: Coordinator<Never> {
    private var list = Handle<ParcelListScreen>()

    override func start() {
        let screen = ParcelListScreen(title: "Parcels", rows: ParcelListScreen.rows, refreshes: 0)
        list = push(screen) { me, event in
            switch event {
            case .refresh: me.list.update { $0.refreshes += 1 }
            case .open(let id): me.start(ParcelDetailCoordinator(id: id)) { _, _ in }
            }
        }
    }
}

/// Shows a parcel, and lets the user pay its duty.
private final class ParcelDetailCoordinator: Coordinator<Void> {
    private let id: Int
    private var detail = Handle<ParcelDetailScreen>()

    init(id: Int) {
        self.id = id
    }

    override func start() {
        detail = push(ParcelDetailScreen(title: "Parcel", id: id, refreshes: 0, isPaid: false)) { me, event in
            switch event {
            case .refresh: me.detail.update { $0.refreshes += 1 }
            case .pay:
                me.present(DutyCoordinator(), as: .sheet) { me, outcome in
                    if case .finished = outcome { me.detail.update { $0.isPaid = true } }
                }
            case .close: me.finish()
            }
        }
    }
}

/// Shows the duty.
private final class DutyCoordinator: Coordinator<Void> {
    override func start() {
        push(DutyScreen(title: "Duty", amount: 12)) { me, event in
            switch event {
            case .confirm: me.finish()
            }
        }
    }
}

/// Shows the user's address.
private final class AddressCoordinator: Coordinator<Never> {
    private var address = Handle<AddressScreen>()

    override func start() {
        address = push(AddressScreen(title: "Address", street: "Lindenweg 12", refreshes: 0)) { me, event in
            switch event {
            case .refresh: me.address.update { $0.refreshes += 1 }
            }
        }
    }
}
