import Foundation
import FuzzedReaders
import SeededRandom

/// Passes each file of a reader's corpus to the reader, and mutations of the file.
///
/// If the reader traps, the process ends.
///
///     CorpusProgram READER FOLDER
@main
struct CorpusProgram {
    /// The number of mutations of each file.
    private static let mutations = 2_000

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let reader = Reader(rawValue: arguments[1]) else {
            print("usage: CorpusProgram READER FOLDER")
            exit(2)
        }
        let folder = URL(filePath: arguments[2])
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
        var random = SplitMix64(seed: 1)
        for file in files {
            reader.read(file)
            for _ in 0..<mutations { reader.read(Mutation.of(file, among: files, &random)) }
        }
        print("\(files.count) files")
    }
}
