import Usher

/// The parcels that a user expects: the first tab.
struct ParcelListScreen: Screen, Equatable {
    struct Row: Codable, Sendable, Equatable {
        let id: Int
        let sender: String
        let place: String
    }

    enum Event: Codable {
        case refresh
        case open(id: Int)
    }

    static let examples: [Event] = [.refresh, .open(id: 2)]

    static let rows = [
        Row(id: 1, sender: "Antiquariat am Markt", place: "on the way"),
        Row(id: 2, sender: "Bicycles and Parts", place: "in the shop at the corner"),
        Row(id: 3, sender: "Kim", place: "handed in"),
    ]

    let title: String
    var rows: [Row]
    var refreshes: Int
}

/// One parcel.
struct ParcelDetailScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case refresh, pay, close
    }

    let title: String
    let id: Int
    var refreshes: Int
    var isPaid: Bool
}

/// The duty for a parcel: a modal.
struct DutyScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case confirm
    }

    let title: String
    let amount: Int
}

/// The user's address: the second tab.
struct AddressScreen: Screen, Equatable {
    enum Event: Codable, CaseIterable {
        case refresh
    }

    let title: String
    let street: String
    var refreshes: Int
}
