import Glibc

/// The functions of this executable by their addresses: its ELF symbol table (`.symtab`), read when there is a crash.
package struct ExecutableSymbols {
    private let file: MappedFile
    private let symbols: Range<Int>
    private let names: Range<Int>

    private static let symbolSize = 24

    /// Opens the table of an executable; nil where it has none.
    ///
    /// - Parameter path: The executable, which runs where it was not replaced meanwhile: `/proc/self/exe` is this process's.
    package init?(_ path: String = "/proc/self/exe") {
        guard let file = MappedFile(path), file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        guard let table = file.section(ofType: 2), let names = file.section(table.link) else { return nil }
        self.file = file
        symbols = table.bytes
        self.names = names.bytes
    }

    /// The mangled names of the functions that hold addresses; nil for each that no function holds.
    ///
    /// - Parameter addresses: Offsets from where the executable was loaded.
    package func names(at addresses: [UInt64]) -> [String?] {
        /// The names' places.
        var found = [Int?](repeating: nil, count: addresses.count)
        for place in stride(from: symbols.lowerBound, to: symbols.upperBound - Self.symbolSize + 1, by: Self.symbolSize)
        {
            // STT_FUNC is 2; the value and the size follow the name, the kind, and the section.
            guard let kind = file.number(at: place + 4, UInt8.self), kind & 0xF == 2,
                let start = file.number(at: place + 8, UInt64.self),
                let size = file.number(at: place + 16, UInt64.self),
                let name = file.number(at: place, UInt32.self)
            else { continue }
            for (index, address) in addresses.enumerated() where address >= start && address - start < max(1, size) {
                found[index] = names.lowerBound + Int(name)
            }
        }
        return found.map { $0.flatMap { file.text(at: $0, before: names.upperBound) } }
    }
}

extension ExecutableSymbols {
    /// Modules whose code is no author's.
    private static let ownModules: Set<Substring> = [
        "MicroHTTPD", "Usher", "UsherExploration", "UsherFuture", "UsherHTTP", "UsherJSON", "UsherJournal",
        "UsherMetrics", "UsherProcess", "UsherReflection", "UsherSQLite", "UsherServer", "UsherSessions",
        "UsherSupervisor", "Swift", "Synchronization", "_Concurrency", "_StringProcessing", "Dispatch", "Foundation",
        "FoundationEssentials", "Glibc",
    ]

    /// The innermost function of an author's code on a stack; nil if the executable names none.
    ///
    /// - Parameter frames: The stack of a mark.
    package func authorsFunction(on frames: [UInt64]) -> String? {
        // A return address is behind its call, which may be the last of a function.
        names(at: frames.map { $0 &- 1 }).lazy.compactMap(\.self).first { name in
            Self.module(ofMangled: name).map { !Self.ownModules.contains($0) } ?? false
        }.map { Self.demangled($0) }
    }

    /// A mangled name as it is written in Swift, cut after so many bytes.
    package static func demangled(_ name: String, limit: Int = 200) -> String {
        var name = name
        let demangled = name.withUTF8 { bytes -> String? in
            guard let text = unsafe swiftDemangle(bytes.baseAddress, bytes.count, nil, nil, 0) else { return nil }
            defer { unsafe free(text) }
            return unsafe String(cString: text)
        }
        return String((demangled ?? name).prefix(limit))
    }

    /// The module that a function of Swift's belongs to; nil for one of C's or of the standard library.
    package static func module(ofMangled name: String) -> Substring? {
        var rest = name.utf8.dropFirst(2)
        guard name.hasPrefix("$s") else { return nil }
        // An extension of a type of the standard library, such as `Sa7MyModuleE`.
        if rest.first == UInt8(ascii: "S") { rest = rest.dropFirst(2) }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let count = Int(String(Substring(digits))), count > 0, count <= rest.count - digits.count else {
            return nil
        }
        return Substring(rest.dropFirst(digits.count).prefix(count))
    }

    @_silgen_name("swift_demangle")
    @unsafe private static func swiftDemangle(
        _ name: UnsafePointer<UInt8>?, _ count: Int, _ buffer: UnsafeMutablePointer<CChar>?,
        _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
    ) -> UnsafeMutablePointer<CChar>?
}

/// A file in memory, to be read with care: nothing in it is believed.
@safe
private final class MappedFile {
    struct Section {
        let bytes: Range<Int>
        /// The index of the section that belongs to it.
        let link: Int
    }

    private let bytes: UnsafeRawBufferPointer
    private let size: Int

    init?(_ path: String) {
        guard let file = try? Descriptor(reading: path) else { return nil }
        size = Int(lseek(file.number, 0, SEEK_END))
        guard size > 64, let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, file.number, 0),
            unsafe start != MAP_FAILED
        else { return nil }
        unsafe bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit {
        unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }

    func starts(with magic: [UInt8]) -> Bool { unsafe bytes.starts(with: magic) }

    /// A number in little endian; nil outside of the file.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int, _ type: Number.Type) -> Number? {
        guard place >= 0, place <= size - MemoryLayout<Number>.size else { return nil }
        return unsafe Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: type))
    }

    /// The bytes up to a zero, as text.
    func text(at place: Int, before end: Int) -> String? {
        guard place >= 0, place < end, end <= size else { return nil }
        return unsafe String(decoding: bytes[place..<end].prefix(1_024).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The first section of a type.
    func section(ofType type: UInt32) -> Section? {
        guard let count = number(at: 60, UInt16.self) else { return nil }
        return (0..<Int(count)).first { header($0).flatMap { number(at: $0 + 4, UInt32.self) } == type }
            .flatMap { section($0) }
    }

    /// A section by its index.
    func section(_ index: Int) -> Section? {
        guard let header = header(index),
            let start = number(at: header + 24, UInt64.self).flatMap({ Int(exactly: $0) }),
            let count = number(at: header + 32, UInt64.self).flatMap({ Int(exactly: $0) }),
            let link = number(at: header + 40, UInt32.self), start <= size, count <= size - start
        else { return nil }
        return Section(bytes: start..<(start + count), link: Int(link))
    }

    /// The place of a section's header: 64 bytes in a table that the file's header names.
    private func header(_ index: Int) -> Int? {
        guard let table = number(at: 40, UInt64.self).flatMap({ Int(exactly: $0) }),
            let count = number(at: 60, UInt16.self),
            index < Int(count), table <= size
        else { return nil }
        return table + index * 64
    }
}
