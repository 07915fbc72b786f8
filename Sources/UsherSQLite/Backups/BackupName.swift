internal import Glibc

/// What backups are called.
enum BackupName {
    /// The path of a journal's backup: beside it in `backups`, with the time before the extension.
    ///
    /// - Parameters:
    ///   - journal: The journal's path.
    ///   - time: Milliseconds since 1970.
    static func path(of journal: String, at time: Int64) -> String {
        let directory = NewFile.directory(of: journal)
        let name = journal.split(separator: "/").last ?? "journal"
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        return "\(directory)/backups/\(name[..<dot])-\(text(time))\(name[dot...])"
    }

    /// A moment in UTC that a file's name can hold, such as `20261120T163647.042Z`.
    static func text(_ milliseconds: Int64) -> String {
        let seconds = milliseconds >= 0 ? milliseconds / 1000 : 0
        var time = time_t(seconds)
        var date = unsafe tm()
        unsafe gmtime_r(&time, &date)
        let day = unsafe padded(date.tm_year + 1900, 4) + padded(date.tm_mon + 1, 2) + padded(date.tm_mday, 2)
        let clock = unsafe padded(date.tm_hour, 2) + padded(date.tm_min, 2) + padded(date.tm_sec, 2)
        return "\(day)T\(clock).\(padded(Int32(max(0, milliseconds) % 1000), 3))Z"
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
