import UIKit
import Usher

@MainActor
protocol ParcelListViewModelDelegate: AnyObject {
    func open(_ id: Int)
}

@MainActor
final class ParcelListViewModel {
    weak var delegate: (any ParcelListViewModelDelegate)?
    private(set) var rows = ParcelListScreen.rows
    private(set) var refreshes = 0

    func refresh() { refreshes += 1 }

    func select(_ id: Int) { delegate?.open(id) }
}

final class ParcelListViewController: UIViewController, ScreenController {
    private let viewModel: ParcelListViewModel

    init(viewModel: ParcelListViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Parcels"
    }

    var content: ParcelListScreen {
        ParcelListScreen(title: title ?? "", rows: viewModel.rows, refreshes: viewModel.refreshes)
    }

    func handle(_ event: ParcelListScreen.Event) {
        switch event {
        case .refresh: viewModel.refresh()
        case .open(let id): viewModel.select(id)
        }
    }
}

@MainActor
protocol ParcelDetailViewModelDelegate: AnyObject {
    func pay()
    func close()
}

@MainActor
final class ParcelDetailViewModel {
    weak var delegate: (any ParcelDetailViewModelDelegate)?
    let id: Int
    var isPaid = false
    private(set) var refreshes = 0

    init(id: Int) {
        self.id = id
    }

    func refresh() { refreshes += 1 }

    func pay() { delegate?.pay() }

    func close() { delegate?.close() }
}

final class ParcelDetailViewController: UIViewController, ScreenController {
    private let viewModel: ParcelDetailViewModel

    init(viewModel: ParcelDetailViewModel) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Parcel"
    }

    var content: ParcelDetailScreen {
        ParcelDetailScreen(
            title: title ?? "", id: viewModel.id, refreshes: viewModel.refreshes, isPaid: viewModel.isPaid)
    }

    func handle(_ event: ParcelDetailScreen.Event) {
        switch event {
        case .refresh: viewModel.refresh()
        case .pay: viewModel.pay()
        case .close: viewModel.close()
        }
    }
}

final class DutyViewController: UIViewController, ScreenController {
    var onConfirm: (() -> Void)?

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Duty"
    }

    var content: DutyScreen { DutyScreen(title: title ?? "", amount: 12) }

    func handle(_ event: DutyScreen.Event) {
        switch event {
        case .confirm: onConfirm?()
        }
    }
}

final class AddressViewController: UIViewController, ScreenController {
    private var refreshes = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Address"
    }

    var content: AddressScreen { AddressScreen(title: title ?? "", street: "Lindenweg 12", refreshes: refreshes) }

    func handle(_ event: AddressScreen.Event) {
        switch event {
        case .refresh: refreshes += 1
        }
    }
}
