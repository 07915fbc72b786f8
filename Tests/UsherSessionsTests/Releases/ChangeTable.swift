/// The table of docs/changing-an-app.md: kinds of change, what releases with them did to sessions, and what to write.
struct ChangeTable {
    /// A row: changes that do the same.
    private struct Row {
        let change: String
        let examples: [ShopChange]
        let advice: String
        /// The change with what the author should write.
        var remedy: ShopChange?
    }

    private static let rows: [Row] = [
        Row(
            change: "a member of a screen's state, the order of a list, a price",
            examples: [.none, .stateGrows, .listOrder, .price], advice: "nothing: sessions show the new one"),
        Row(
            change: "a coordinator's name; a coordinator that is added or split",
            examples: [.classRenamed, .coordinatorSplit, .hiddenChildAtStart], advice: "nothing"),
        Row(change: "a modal's style", examples: [.modalStyle], advice: "nothing"),
        Row(change: "a new tab", examples: [.tabAdded], advice: "nothing"),
        Row(
            change: "a new effect or timer at an old step",
            examples: [.effectAtStart, .timerAtStart, .logBeforeCharge, .logAfterCharge, .timerBeforeDeadline],
            advice: "nothing: it starts with the next input"),
        Row(
            change: "a timer's duration", examples: [.deadline],
            advice: "nothing: a running timer keeps its time"),
        Row(
            change: "a tab that is removed", examples: [.hiddenTabRemoved], advice: "see [below](#a-removed-tab)"),
        Row(
            change: "a tab's name", examples: [.hiddenTabRenamed], advice: "`tabs(…, formerNames:)`",
            remedy: .tabRenamedWithFormerName),
        Row(
            change: "a new screen in the middle of a flow", examples: [.screenInMidway],
            advice: "[`App.changes`](#a-new-screen-in-the-middle-of-a-flow)", remedy: .screenInMidwayAsChange),
        Row(
            change: "a new screen at the start", examples: [.onboardingAtStart],
            advice: "show the new screen after an event"),
        Row(
            change: "an app's name, with `App.formerNames`", examples: [.appRenamedWithFormerName],
            advice: "without `App.formerNames`, all are held"),
        Row(
            change: "a screen's name", examples: [.screenRenamed], advice: "`Screen.formerNames`",
            remedy: .screenRenamedWithFormerName),
        Row(
            change: "an event's name", examples: [.eventRenamed], advice: "decode both names",
            remedy: .eventRenamedDecodingBoth),
        Row(
            change: "an effect's name", examples: [.chargeRenamed], advice: "`Effect.formerNames`",
            remedy: .chargeRenamedWithFormerName),
        Row(
            change: "an effect's output", examples: [.outputChanged], advice: "`Effect.migrate(_:)`",
            remedy: .outputMigrated),
        Row(
            change: "an effect's output, if `onDivergence` is `.resume`", examples: [.outputChangedResuming],
            advice: "accept that results are lost"),
        Row(
            change: "an effect's output, if `onDivergence` is `.end`", examples: [.outputChangedEnding],
            advice: "accept that these sessions end once you confirm the release"),
        Row(
            change: "an effect that the app no longer starts", examples: [.greetingGone],
            advice: "`App.retiredEffects`", remedy: .greetingRetired),
        Row(
            change: "an effect that the app no longer starts, and whose result showed the next screen",
            examples: [.chargeGone], advice: "keep the effect while sessions need it"),
        Row(change: "a new option", examples: [.optionNeeded], advice: "give it a default"),
    ]

    private static let head = """
        | Your change | Sessions that stay as they were | Sessions that go back | Sessions that are held | What to do |
        |---|---|---|---|---|
        """

    /// All changes of all rows.
    static var changes: [ShopChange] { rows.flatMap { $0.examples + [$0.remedy].compactMap { $0 } } }

    /// What releases did to the sessions, one fate for each.
    private let fates: [ShopChange: [Fate]]

    init(_ fates: [ShopChange: [Fate]]) { self.fates = fates }

    /// Rows whose examples do not all do the same.
    var mixedRows: [String] {
        Self.rows.filter { row in Set(row.examples.map(counts)).count > 1 }.map(\.change)
    }

    var text: String {
        ([Self.head] + Self.rows.map(line)).joined(separator: "\n")
    }

    private func line(of row: Row) -> String {
        let numbers = row.examples.first.map(counts) ?? []
        let cells = numbers.map { $0 == 0 ? "" : "\($0)" }.joined(separator: "|")
        return "| \(row.change) |\(cells)| \(row.advice)\(remedied(row)) |"
    }

    private func remedied(_ row: Row) -> String {
        guard let remedy = row.remedy else { return "" }
        let stay = counts(remedy)[0]
        return stay == fates[remedy]?.count ? ": all stay" : ": \(stay) stay"
    }

    /// The numbers of sessions that are as they were, go back, and are held.
    private func counts(_ change: ShopChange) -> [Int] {
        let fates = fates[change] ?? []
        // A session that begins anew counts as resumed at its start.
        return [.asItWas, .resumed, .held].map { fate in fates.count { ($0 == .beganAnew ? .resumed : $0) == fate } }
    }

    /// Puts the table into a document, in the place of the one that it has.
    ///
    /// - Returns: nil if the document has none.
    func replacing(in document: String) -> String? {
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("| Your change |") }) else { return nil }
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        return (lines[..<start].map(String.init) + [text] + lines[end...].map(String.init)).joined(separator: "\n")
    }
}
