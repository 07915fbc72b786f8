import Foundation
import FuzzedReaders
import LocalhostClient
import Programs
import Testing

@Suite("The fuzzer's corpus", .blocking)
struct CorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzzing/Corpus")

    /// Runs a separate process, which ends if a reader traps; `script/fuzz` then finds the input.
    @Test("no reader traps on an input of the corpus or on a mutated input", arguments: Reader.allCases)
    func corpus(of reader: Reader) throws {
        let folder = Self.corpus.appending(path: reader.rawValue)
        let end = try Program.run(["\(Program.products)/CorpusProgram", reader.rawValue, folder.path])
        let count = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
        #expect(count > 0 && end.status == 0 && end.output == "\(count) files\n", "\(end.error)")
    }
}
