import Usher

/// A search in the workspace.
struct SearchScreen: Screen {}
