/// The values in the rows of `tudy`, as JSON and in the notation of `scenarios.md`.
enum TudyValues {
    static let kim = #"{"id":1,"name":"Kim"}"#
    static let lee = #"{"id":2,"name":"Lee"}"#
    static let projectOfKim = #"{"id":1,"title":"An algorithms study group","writer":\#(kim)}"#
    static let projectOfLee = #"{"id":2,"title":"An iOS app for walkers","writer":\#(lee)}"#
    static let newProject = #"{"id":3,"title":"A game","writer":\#(kim)}"#
    static let chatWithLee = #"{"id":1,"group":false,"title":"Lee","with":\#(lee)}"#
    static let group = #"{"id":2,"group":true,"title":"Walkers"}"#
    static let projects = "[\(projectOfKim),\(projectOfLee)]"

    /// The row T-01: the stacks, and the coordinators.
    static let start = "tab(home){home[home], chat[chatList]}"
    static let tree = "App→[TabBar→[Home, Chat]]"
    static let login = start + " ⊕ fullScreen[login]"
    static let treeWithLogin = "App→[TabBar→[Home, Chat, Login]]"
    static let detail = "tab(home){home[home, projectDetail], chat[chatList]}"
    static let personalChat = "tab(chat){home[home], chat[chatList, personalChat]}"
    static let groupChat = "tab(chat){home[home], chat[chatList, groupChat]}"
}
