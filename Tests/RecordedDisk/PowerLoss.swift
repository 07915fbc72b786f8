package import Programs
package import SeededRandom

/// The files of a recorded disk after a loss of power: the synchronized bytes, and some of the other sectors.
package struct PowerLoss {
    private let calls: ArraySlice<RecordedDisk.Call>
    /// For each call, the index of the synchronization that made it durable; the largest number if there was none.
    private let durableAt: [Int]
    /// The files before the first call, by name.
    private let files: [String: [UInt8]]

    private static let sector = 512

    /// Creates a loss of power after a number of calls.
    ///
    /// - Parameters:
    ///   - calls: All recorded calls.
    ///   - count: The number of calls before the loss.
    ///   - files: The files before the first call, by name.
    package init(_ calls: [RecordedDisk.Call], after count: Int, from files: [String: [UInt8]] = [:]) {
        self.calls = calls.prefix(count)
        self.files = files
        var durableAt = [Int](repeating: .max, count: calls.count)
        var pending: [String: [Int]] = [:]
        for (index, call) in calls.enumerated() {
            switch call {
            case .write(let file, _, _), .truncate(let file, _): pending[file, default: []].append(index)
            case .sync(let file, let isGood):
                for earlier in pending.removeValue(forKey: file) ?? [] where isGood { durableAt[earlier] = index }
            case .delete(let file):
                // The file's content does not matter any more, because the file is deleted.
                for earlier in pending.removeValue(forKey: file) ?? [] { durableAt[earlier] = index }
            }
        }
        self.durableAt = durableAt
    }

    /// Writes the remaining files to a folder.
    package func write(to folder: TemporaryFolder, _ random: inout SplitMix64) throws {
        for (name, bytes) in image(&random) { try folder.write(bytes, to: name) }
    }

    /// Returns the remaining files by name.
    ///
    /// - Parameter random: Chooses which sectors that were not synchronized remain: none, all, or some.
    package func image(_ random: inout SplitMix64) -> [String: [UInt8]] {
        var files = files
        let odds = [0, 16, UInt64(1 + random.next() % 15)][Int(random.next() % 3)]
        for (index, call) in calls.enumerated() {
            let isDurable = durableAt[index] < calls.count
            switch call {
            case .write(let file, let offset, let bytes):
                apply(bytes, at: offset, to: &files[file, default: []]) { isDurable || random.next() % 16 < odds }
            case .truncate(let file, let size):
                guard isDurable || random.next() % 16 < odds, let count = files[file]?.count, count > size else {
                    break
                }
                files[file]?.removeLast(count - size)
            case .delete(let file): files[file] = nil
            case .sync: break
            }
        }
        return files
    }

    /// Writes the sectors that remain.
    private func apply(_ bytes: [UInt8], at offset: Int, to file: inout [UInt8], where isThere: () -> Bool) {
        var position = offset
        let end = offset + bytes.count
        while position < end {
            let next = min(end, (position / Self.sector + 1) * Self.sector)
            if isThere() {
                if file.count < next { file += [UInt8](repeating: 0, count: next - file.count) }
                file.replaceSubrange(position..<next, with: bytes[(position - offset)..<(next - offset)])
            }
            position = next
        }
    }
}
