import Combine
import Foundation

/// The recipes that the user likes, on this device.
@MainActor
final class Favourites: ObservableObject {
    @Published private(set) var ids: Set<Int>
    private let defaults = UserDefaults.standard

    init() {
        ids = Set(defaults.array(forKey: "favourites") as? [Int] ?? [])
    }

    func toggle(_ id: Int) {
        ids.formSymmetricDifference([id])
        defaults.set(ids.sorted(), forKey: "favourites")
    }
}
