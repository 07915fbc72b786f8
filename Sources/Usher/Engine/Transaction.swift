/// The state of one input.
///
/// A tree has one transaction: `Tree.handle` resets it for each input with `begin`. Only a failure survives the reset.
///
/// A value whose properties are only read and set: a coordinator may read it in the middle of whatever changes it, so
/// nothing here runs author's code, or lets go of an author's object, while it changes.
struct Transaction {
    /// The time of the input, the only clock of the coordinators.
    private(set) var now: Timestamp
    /// The screen that was visible before the input; 0 where there was none.
    private(set) var screenBefore = 0
    /// The id that the input's first new screen gets: one with a lower id was there before.
    private(set) var firstNewScreen = 1
    /// The random numbers of the input.
    var random: SeededGenerator
    /// Coordinators that the input has started.
    private(set) var startCount = 0
    /// Effects and timers that the input has begun.
    private(set) var workCount = 0
    /// Set while screens are encoded: an author's `encode(to:)` must not change the tree meanwhile.
    var isEncoding = false
    /// Set for an input that a server has accepted: it happens whatever bytes of state this one allows.
    private(set) var isRecorded: Bool
    /// The failure of the input; nil as long as it can happen.
    private(set) var failure: TransactionFailure?
    private var speaker: ScreenInstance?

    /// Begins a tree's first transaction.
    ///
    /// - Parameters:
    ///   - time: When the input came.
    ///   - random: Its random numbers.
    ///   - isRecorded: Whether a server has accepted it.
    init(at time: Timestamp, random: SeededGenerator, isRecorded: Bool) {
        now = time
        self.random = random
        self.isRecorded = isRecorded
    }

    /// Begins the next transaction, in place of the one before; a failure stays, and with it a broken tree.
    ///
    /// - Parameters:
    ///   - time: When the input came.
    ///   - random: Its random numbers.
    ///   - screenBefore: The visible screen.
    ///   - firstNewScreen: The next free id of screens.
    ///   - isRecorded: Whether a server has accepted the input.
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

    /// The screen whose event is being handled, with which work goes that begins now; nil once it has left, as an alert
    /// has that was answered.
    var speakingScreen: ScreenInstance? {
        speaker?.owner == nil ? nil : speaker
    }

    /// True for a visible screen that was there before the input, and was not visible.
    func isReturn(to screen: ScreenInstance) -> Bool {
        screen.id != screenBefore && screen.id < firstNewScreen
    }

    /// True while the handler of a screen's event, or of its work, runs.
    var isHandlingScreen: Bool { speaker != nil }

    mutating func countStart() {
        startCount += 1
    }

    /// Counts work that begins.
    ///
    /// - Returns: Its place among the work of this input, from 1.
    mutating func countWork() -> Int {
        workCount += 1
        return workCount
    }

    /// Makes another screen the speaking one.
    ///
    /// - Returns: The one that it was.
    @discardableResult
    mutating func exchangeSpeaker(for speaker: ScreenInstance?) -> ScreenInstance? {
        let former = self.speaker
        self.speaker = speaker
        return former
    }

    /// Notes that the input cannot happen; the first reason counts.
    mutating func fail(_ rejection: Rejection) {
        guard failure?.rejection == nil else { return }
        failure = TransactionFailure(rejection: rejection, retry: failure?.retry)
    }

    /// Notes how an input that failed only because of a link is to be handled instead.
    mutating func retry(with handling: LinkHandling) {
        failure = TransactionFailure(rejection: failure?.rejection, retry: handling)
    }
}

/// Why a transaction cannot be committed: an object, for hardly any has one.
final class TransactionFailure {
    /// The first failure; nil where a link alone is at fault.
    let rejection: Rejection?
    /// The handling with which to try the input again, where only a link is at fault.
    let retry: LinkHandling?

    init(rejection: Rejection?, retry: LinkHandling?) {
        self.rejection = rejection
        self.retry = retry
    }
}
