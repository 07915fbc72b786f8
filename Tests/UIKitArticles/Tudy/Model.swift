import UIKit

struct User: Codable, Equatable {
    let id: Int
    let name: String

    static let kim = User(id: 1, name: "Kim")
    static let lee = User(id: 2, name: "Lee")
}

struct Project: Codable, Equatable {
    let id: Int
    let title: String
    let writer: User

    static let studyGroup = Project(id: 1, title: "An algorithms study group", writer: .kim)
    static let walkingApp = Project(id: 2, title: "An iOS app for walkers", writer: .lee)
}

struct Chat: Codable, Equatable {
    let id: Int
    let group: Bool
    let title: String
    let with: User?

    static let withLee = Chat(id: 1, group: false, title: "Lee", with: .lee)
    static let walkers = Chat(id: 2, group: true, title: "Walkers", with: nil)
}

/// The app's data: the logged-in user, the projects and the chats.
@MainActor
final class Store {
    var user: User?
    private(set) var projects = [Project.studyGroup, .walkingApp]
    private(set) var chats = [Chat.withLee, .walkers]

    var isLogin: Bool { user != nil }

    func logIn(name: String, password: String) -> Bool {
        let known = ["kim": User.kim, "lee": .lee]
        guard password == "usher", let user = known[name] else { return false }
        self.user = user
        return true
    }

    func projects(for work: String) -> [Project] {
        projects.filter { $0.title.lowercased().contains(work.lowercased()) }
    }

    func register(_ project: Project) {
        projects.append(project)
    }

    func update(_ project: Project) {
        projects = projects.map { $0.id == project.id ? project : $0 }
    }

    func chat(with user: User) -> Chat {
        if let chat = chats.first(where: { $0.with == user }) { return chat }
        let chat = Chat(id: chats.count + 1, group: false, title: user.name, with: user)
        chats.append(chat)
        return chat
    }
}
