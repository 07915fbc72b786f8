import LocalhostClient
import Testing
import UsherJSON

/// A session of a process that shows the login.
struct SignInVisit {
    private let client: LocalhostClient
    private let login: SignInProcessTests.Login
    private let path: String

    /// Opens a session, and leads it to the login.
    init(_ login: SignInProcessTests.Login, on port: Int) throws {
        client = LocalhostClient(port: port)
        self.login = login
        path = try #require(client.request("POST", "/sessions", body: #"{"app":"\#(login.app)"}"#)["Location"])
        for event in login.way { try send("\"\(event)\"") }
        try #require(state().visible == login.screen)
    }

    /// Signs in as Kim.
    func logIn(preferring preference: String? = nil) throws -> RawResponse {
        try send(#"{"\#(login.event)":{"name":"kim","password":"usher"}}"#, preferring: preference)
    }

    /// Returns the session's state.
    ///
    /// - Parameter known: The previous state; the response waits until there is another.
    func state(after known: RawResponse? = nil) throws -> RawResponse {
        let headers = known.map { [("If-None-Match", $0["ETag"] ?? ""), ("Prefer", "wait=30")] } ?? []
        return try client.request("GET", path, headers: headers)
    }

    @discardableResult
    private func send(_ event: String, preferring preference: String? = nil) throws -> RawResponse {
        let headers = preference.map { [("Prefer", $0)] } ?? []
        return try client.request("POST", "\(path)/events", headers: headers, body: #"{"event":\#(event)}"#)
    }
}

extension RawResponse {
    private var state: JSONValue? { try? JSONDocument(parsing: body).root }

    /// The name of the visible screen.
    var visible: String? {
        state?[member: "stack"].flatMap { Array($0.elements).last }?[member: "screen"]?.string
    }

    /// The names of the pending work.
    var pending: [String] {
        state?[member: "pending"].map { $0.elements.compactMap(\.string) } ?? ["(no state)"]
    }
}
