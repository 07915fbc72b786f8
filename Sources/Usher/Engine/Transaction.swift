/// The state of one input.
///
/// A tree has one transaction. `Tree.handle` resets the transaction for each input with `begin`. Only a failure
/// survives the reset. The properties are only read and replaced. A coordinator may read the transaction at any time,
/// so no mutation runs app code or releases an object of the app.
struct Transaction {
    /// The time of the input, which is the only clock of the coordinators.
    private(set) var now: Timestamp
    /// The id of the screen that was visible before the input; 0 if no screen was visible.
    private(set) var screenBefore = 0
    /// The id that the input's first new screen gets; screens with a lower id are older.
    private(set) var firstNewScreen = 1
    var random: SeededGenerator
    private(set) var startCount = 0
    private(set) var workCount = 0
    /// Whether screens are being encoded; meanwhile, the app's `encode(to:)` must not change the tree.
    var isEncoding = false
    /// Whether a server has already accepted the input, so that this server's limit of state does not apply.
    private(set) var isRecorded: Bool
    /// The failure of the input; nil if the input has not failed.
    private(set) var failure: TransactionFailure?
    private var speaker: ScreenInstance?

    /// Creates a tree's first transaction.
    init(at time: Timestamp, random: SeededGenerator, isRecorded: Bool) {
        now = time
        self.random = random
        self.isRecorded = isRecorded
    }

    /// Resets the transaction for the next input; a failure stays, because the tree is broken.
    mutating func begin(
        at time: Timestamp, random: SeededGenerator, screenBefore: Int, firstNewScreen: Int, isRecorded: Bool
    ) {
        now = time
        self.screenBefore = screenBefore
        self.firstNewScreen = firstNewScreen
        self.random = random
        startCount = 0
        workCount = 0
        isEncoding = false
        self.isRecorded = isRecorded
    }

    /// The screen whose event is being handled, and with which new work ends; nil if the screen has left.
    ///
    /// An alert leaves before its event is handled, so for an alert the value is nil.
    var speakingScreen: ScreenInstance? {
        speaker?.owner == nil ? nil : speaker
    }

    /// Returns whether the visible screen, given by its id, existed before the input but was not visible then.
    func isReturn(to screen: Int) -> Bool {
        screen != screenBefore && screen < firstNewScreen
    }

    /// Whether a handler is running for a screen's event, or for work that belongs to a screen.
    var isHandlingScreen: Bool { speaker != nil }

    mutating func countStart() {
        startCount += 1
    }

    /// Counts work that begins, and returns its position among the work of this input, from 1.
    mutating func countWork() -> Int {
        workCount += 1
        return workCount
    }

    /// Sets the screen whose event is being handled, and returns the previous screen.
    @discardableResult
    mutating func exchangeSpeaker(for speaker: ScreenInstance?) -> ScreenInstance? {
        let former = self.speaker
        self.speaker = speaker
        return former
    }

    /// Records the failure of the input; only the first rejection is kept.
    mutating func fail(_ rejection: Rejection) {
        guard failure?.rejection == nil else { return }
        failure = TransactionFailure(rejection: rejection, retry: failure?.retry)
    }

    /// Records that the input failed only because of a link, and how the retry of the input must handle this link.
    mutating func retry(with handling: LinkHandling) {
        failure = TransactionFailure(rejection: failure?.rejection, retry: handling)
    }
}

/// The reason why a transaction cannot be committed; a class, to save memory, because almost no transaction fails.
final class TransactionFailure {
    /// The first rejection; nil if a link that reached only part of its steps is the only cause.
    let rejection: Rejection?
    /// The handling of the link when the input is retried; nil if the link is not the cause.
    let retry: LinkHandling?

    init(rejection: Rejection?, retry: LinkHandling?) {
        self.rejection = rejection
        self.retry = retry
    }
}
