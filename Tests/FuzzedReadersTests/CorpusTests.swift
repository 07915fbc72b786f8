import Foundation
import FuzzedReaders
import SeededRandom
import Testing

@Suite("The corpus of the fuzzer")
struct CorpusTests {
    /// Inputs that are made of each file of the corpus.
    private static let mutations = 2_000
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzzing/Corpus")

    /// In a process of its own, which ends where a reader traps; `script/fuzz` then finds the input.
    @Test("no input in the corpus makes its reader trap, and neither do mutations of it", arguments: Reader.allCases)
    func corpus(of reader: Reader) async throws {
        let folder = Self.corpus.appending(path: reader.rawValue)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
        try #require(!files.isEmpty)
        await #expect(processExitsWith: .success) { [reader = reader as Reader, files = files as [[UInt8]]] in
            var random = SplitMix64(seed: 1)
            for file in files {
                reader.read(file)
                for _ in 0..<Self.mutations { reader.read(Mutation.of(file, among: files, &random)) }
            }
        }
    }
}

/// A mutation of bytes, as fuzzers make them.
private enum Mutation {
    /// Changes bytes in one to four places.
    static func of(_ bytes: [UInt8], among others: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, others, &random) }
        return bytes
    }

    private static func change(_ bytes: inout [UInt8], _ others: [[UInt8]], _ random: inout SplitMix64) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 1: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: end)
        default:
            let other = others.randomElement(using: &random) ?? []
            bytes.replaceSubrange(place..., with: other.dropFirst(place))
        }
    }
}
