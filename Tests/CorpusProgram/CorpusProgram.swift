import Foundation
import FuzzedReaders
import SeededRandom

/// Hands each file of a reader's corpus to the reader, and mutations of it; a reader that traps ends the process.
///
///     CorpusProgram READER FOLDER
@main
struct CorpusProgram {
    /// Inputs that are made of each file.
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
