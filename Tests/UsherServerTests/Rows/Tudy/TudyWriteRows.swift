import Testing

/// Tests of the T rows of `scenarios.md` about writing projects.
@Suite("tudy: writing")
struct TudyWriteRows {
    private typealias Values = TudyValues

    private static let form = Values.start + " ⊕ fullScreen[projectWrite]"
    private static let formOverDetail = Values.detail + " ⊕ fullScreen[projectWrite]"

    @Test("T-06: the form is a modal without its own coordinator", arguments: Surface.forSamples)
    func write(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true) { walk in
            let before = try await walk.display()
            try await walk.take("showProjectWrite")
            try await walk.expect(Self.form, Values.tree)
            #expect(try await walk.created() == 4)
            try await walk.take("close")
            try await walk.expect(Values.start, Values.tree)
            #expect(try await walk.display() == before)
        }
    }

    @Test("T-06g: a guest who wants to write is asked to log in", arguments: Surface.forSamples)
    func writeAsGuest(on surface: Surface) async throws {
        try await surface.tudy("showProjectWrite") { walk in
            try await walk.expect(Values.login, Values.treeWithLogin)
            try await walk.take(.login("kim"))
            try await walk.expect(Values.start, Values.tree)
            try await walk.take("showProjectWrite")
            try await walk.expect(Self.form, Values.tree)
        }
    }

    @Test("T-07: a new project is listed", arguments: Surface.forSamples)
    func register(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true, "showProjectWrite") { walk in
            let taken = Values.newProject.replacing(#""id":3"#, with: #""id":1"#)
            try await walk.expect(422, naming: "project 1", .event("registerProject", #"{"project":\#(taken)}"#))
            try await walk.expect(422, naming: "registerProject", Self.update(Values.newProject))
            try await walk.take(.event("registerProject", #"{"project":\#(Values.newProject)}"#))
            try await walk.expect(Values.start, Values.tree)
            let projects = "[\(Values.projectOfKim),\(Values.projectOfLee),\(Values.newProject)]"
            #expect(try await walk.stateOf("home") == #"{"user":\#(Values.kim),"projects":\#(projects)}"#)
            #expect(walk.answer["changes"]?.text == #"[{"update":[1]},{"dismiss":[3]}]"#)
        }
    }

    @Test("T-08: a user can change their own project, and no other user's project", arguments: Surface.forSamples)
    func modify(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true, .detail(Values.projectOfLee)) { walk in
            try await walk.expect(422, naming: "Lee", "showModifyProject")
            try await walk.take(.back, .detail(Values.projectOfKim), "showModifyProject")
            try await walk.expect(Self.formOverDetail, Values.tree)
            #expect(try await walk.stateOf("projectWrite") == #"{"project":\#(Values.projectOfKim)}"#)
        }
    }

    @Test("T-09: saving a changed project dismisses the form and pops the project", arguments: Surface.forSamples)
    func update(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true, .detail(Values.projectOfKim), "showModifyProject") { walk in
            let changed = Values.projectOfKim.replacing("An algorithms", with: "A Swift")
            try await walk.expect(422, naming: "project 1", Self.update(Values.projectOfLee))
            try await walk.take(Self.update(changed))
            try await walk.expect(Values.start, Values.tree)
            #expect(walk.answer["changes"]?.text == #"[{"update":[1]},{"dismiss":[4]},{"pop":[3]}]"#)
            let projects = "[\(changed),\(Values.projectOfLee)]"
            #expect(try await walk.stateOf("home") == #"{"user":\#(Values.kim),"projects":\#(projects)}"#)
        }
    }

    @Test("T-09: the search screen below the project shows the changed project too", arguments: Surface.forSamples)
    func updateOverSearch(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true, "showSearch", .detail(Values.projectOfKim), "showModifyProject") {
            walk in
            let changed = Values.projectOfKim.replacing("An algorithms", with: "A Swift")
            try await walk.take(Self.update(changed))
            try await walk.expect("tab(home){home[home, search], chat[chatList]}", Values.tree)
            #expect(try await walk.stateOf("search") == #"{"projects":[\#(changed),\#(Values.projectOfLee)]}"#)
        }
    }

    private static func update(_ project: String) -> TudyInput {
        .event("updateProject", #"{"project":\#(project)}"#)
    }
}

extension String {
    fileprivate func replacing(_ words: String, with others: String) -> String {
        guard let range = firstRange(of: words) else { return self }
        return String(self[..<range.lowerBound]) + others + String(self[range.upperBound...])
    }
}
