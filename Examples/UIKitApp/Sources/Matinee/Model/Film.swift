import Foundation

struct Film: Codable, Equatable, Sendable {
    let id: Int
    let title: String
    let minutes: Int
}

struct Ticket: Codable, Equatable, Sendable {
    let id: Int
    let film: Film
    let seats: [String]
}

struct User: Codable, Equatable, Sendable {
    let name: String
}
