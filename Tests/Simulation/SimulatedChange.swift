import Usher

/// A change that a build of the simulated app makes to the first build.
///
/// All builds know the others' names of renamed things and retire each other's greetings: a session may go from any build
/// to any other.
enum SimulatedChange: Int, CaseIterable {
    case none
    // Nobody sees these.
    case stateGrows, classRenamed, coordinatorSplit, hiddenChild, passingScreen, effectAtStart, timerAtStart
    case effectBeforeAnother, timerBeforeAnother, longerTimer
    case effectRenamed, screenRenamed, outputChanged
    // A session that has come to these goes back, or is held.
    case screenInMidway, screenRenamedSilently, eventRenamed, effectRenamedSilently

    /// The changes that nobody sees: every session stays as it was.
    static let unseen = allCases.filter { $0.rawValue <= outputChanged.rawValue }

    /// Returns a Boolean value indicating whether builds follow each other everywhere.
    ///
    /// If a timer more is recorded than a build begins, and its timers differ from the recorded ones, nobody can tell which
    /// is which.
    static func isUnseen(in builds: [SimulatedChange]) -> Bool {
        let hasOtherTimers = builds.contains(.longerTimer) || builds.contains(.classRenamed)
        let hasMoreTimers = builds.contains(.timerBeforeAnother) || builds.contains(.timerAtStart)
        return builds.allSatisfy(unseen.contains) && !(hasMoreTimers && hasOtherTimers)
    }

    /// The build of the app with this change.
    var app: any App.Type { Self.apps[rawValue] }

    /// The number by which the journal knows the build.
    var build: UInt64 { UInt64(rawValue) + 1 }

    private static let apps: [any App.Type] = [
        LogApp<0>.self, LogApp<1>.self, LogApp<2>.self, LogApp<3>.self, LogApp<4>.self, LogApp<5>.self,
        LogApp<6>.self, LogApp<7>.self, LogApp<8>.self, LogApp<9>.self, LogApp<10>.self, LogApp<11>.self,
        LogApp<12>.self, LogApp<13>.self, LogApp<14>.self, LogApp<15>.self, LogApp<16>.self, LogApp<17>.self,
    ]
}

/// The app of a simulation: a log, to which everything that happens adds its number, once.
///
/// Its parameter is the number of the change that this build makes.
enum LogApp<let change: Int>: App {
    static var name: String { "log" }
    static var retiredEffects: Set<String> { ["greet"] }

    static func services() -> Backend { Backend.current }

    static var options: LogOptions { LogOptions() }

    static func root(_ options: LogOptions) -> sending AnyCoordinator {
        let change = SimulatedChange(rawValue: change) ?? .none
        return change == .classRenamed ? JournalCoordinator(change, options) : LogCoordinator(change, options)
    }
}

/// The numbers with which a log begins.
struct LogOptions: Codable, Sendable {
    var numbers: [Int] = []
}
