import Usher

/// A change that a build of the simulated app makes to the first build.
///
/// Any build may follow any other, so all builds know the other names of renamed things, and retire each other's
/// greetings.
enum SimulatedChange: Int, CaseIterable {
    case none
    // Changes that no user sees.
    case stateGrows, classRenamed, coordinatorSplit, hiddenChild, passingScreen, effectAtStart, timerAtStart
    case effectBeforeAnother, timerBeforeAnother, longerTimer
    case effectRenamed, screenRenamed, outputChanged
    // Changes after which a session goes back or is held, if it has reached the change.
    case screenInMidway, screenRenamedSilently, eventRenamed, effectRenamedSilently

    /// The changes that no user sees: every session continues unchanged.
    static let unseen = allCases.filter { $0.rawValue <= outputChanged.rawValue }

    /// Returns a Boolean value indicating whether sessions continue unchanged from each build to each other.
    ///
    /// If more timers are recorded than a build starts, and their durations differ from the recorded ones, the build
    /// cannot tell which is which.
    static func isUnseen(in builds: [SimulatedChange]) -> Bool {
        let hasOtherTimers = builds.contains(.longerTimer) || builds.contains(.classRenamed)
        let hasMoreTimers = builds.contains(.timerBeforeAnother) || builds.contains(.timerAtStart)
        return builds.allSatisfy(unseen.contains) && !(hasMoreTimers && hasOtherTimers)
    }

    /// The build of the app with this change.
    var app: any App.Type { Self.apps[rawValue] }

    /// The number that identifies the build in the journal.
    var build: UInt64 { UInt64(rawValue) + 1 }

    private static let apps: [any App.Type] = [
        LogApp<0>.self, LogApp<1>.self, LogApp<2>.self, LogApp<3>.self, LogApp<4>.self, LogApp<5>.self,
        LogApp<6>.self, LogApp<7>.self, LogApp<8>.self, LogApp<9>.self, LogApp<10>.self, LogApp<11>.self,
        LogApp<12>.self, LogApp<13>.self, LogApp<14>.self, LogApp<15>.self, LogApp<16>.self, LogApp<17>.self,
    ]
}

/// The app of a simulation: a log, to which each event adds its number once.
///
/// The parameter is the number of this build's change.
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
