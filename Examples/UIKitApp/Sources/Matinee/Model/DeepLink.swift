import Foundation

/// A place that a link leads to, such as `matinee://films/2`.
enum DeepLink: Equatable {
    case film(id: Int)
    case ticket(id: Int)

    init?(_ url: URL) {
        guard url.scheme == "matinee", let id = Int(url.lastPathComponent) else { return nil }
        switch url.host {
        case "films": self = .film(id: id)
        case "tickets": self = .ticket(id: id)
        default: return nil
        }
    }
}
