package import Programs
package import SeededRandom

/// The files of a recorded disk as a loss of power leaves them: what was synchronized, and of the rest some sectors.
package struct PowerLoss {
    private let calls: ArraySlice<RecordedDisk.Call>
    /// Of each call the index of the synchronization that made it durable; the largest number where none did.
    private let durableAt: [Int]
    /// The files as they were before the first call, by their names.
    private let files: [String: [UInt8]]

    private static let sector = 512

    /// A loss after a number of calls.
    ///
    /// - Parameters:
    ///   - calls: All that were recorded.
    ///   - count: How many of them were made before.
    ///   - files: The files as they were before the first, by their names.
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
                // Nobody reads what was in it: its name goes at once, or with it what was written.
                for earlier in pending.removeValue(forKey: file) ?? [] { durableAt[earlier] = index }
            }
        }
        self.durableAt = durableAt
    }

    /// Writes the files to a folder.
    package func write(to folder: TemporaryFolder, _ random: inout SplitMix64) throws {
        for (name, bytes) in image(&random) { try folder.write(bytes, to: name) }
    }

    /// The files that are left, by their names.
    ///
    /// - Parameter random: Decides which sectors of what was not synchronized are there: none, all, or some.
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

    /// Writes those sectors that are there.
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
