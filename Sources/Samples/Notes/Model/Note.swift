/// A text that is written and read.
struct Note: Codable {
    let id: Int
    let title: String
}
