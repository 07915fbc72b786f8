import Usher

/// The user's direct messages.
struct DMListScreen: Screen {}
