import Glibc

/// The functions of this executable by address: its ELF symbol table (`.symtab`), read after a crash.
package struct ExecutableSymbols {
    private let file: MappedFile
    private let symbols: Range<Int>
    private let names: Range<Int>

    private static let symbolSize = 24

    /// Opens the symbol table of an executable; nil if the executable has no symbol table.
    ///
    /// - Parameter path: By default, this process's executable, even if its file has been replaced.
    package init?(_ path: String = "/proc/self/exe") {
        guard let file = MappedFile(path), file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        guard let table = file.section(ofType: 2), let names = file.section(table.link) else { return nil }
        self.file = file
        symbols = table.bytes
        self.names = names.bytes
    }

    /// Returns the mangled names of the functions at some addresses, which are offsets from the executable's load
    /// address; nil for an address outside of all functions.
    package func names(at addresses: [UInt64]) -> [String?] {
        /// The offset in the file of each function's name.
        var found = [Int?](repeating: nil, count: addresses.count)
        for place in stride(from: symbols.lowerBound, to: symbols.upperBound - Self.symbolSize + 1, by: Self.symbolSize)
        {
            // A symbol has its name first, then the kind, the section, the value and the size; the kind of a function
            // (STT_FUNC) is 2.
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
    /// The modules that contain no code of an app's author.
    private static let ownModules: Set<Substring> = [
        "MicroHTTPD", "Usher", "UsherExploration", "UsherFuture", "UsherHTTP", "UsherJSON", "UsherJournal",
        "UsherMetrics", "UsherProcess", "UsherReflection", "UsherSQLite", "UsherServer", "UsherSessions",
        "UsherSupervisor", "Swift", "Synchronization", "_Concurrency", "_StringProcessing", "Dispatch", "Foundation",
        "FoundationEssentials", "Glibc",
    ]

    /// Returns the innermost function of the app's code on a stack, from the return addresses in a mark of the flight
    /// record; nil if the executable names no such function.
    package func authorsFunction(on frames: [UInt64]) -> String? {
        // Subtracts 1, because a return address points behind its call, which may be the function's last instruction.
        names(at: frames.map { $0 &- 1 }).lazy.compactMap(\.self).first { name in
            Self.module(ofMangled: name).map { !Self.ownModules.contains($0) } ?? false
        }.map { Self.demangled($0) }
    }

    /// Returns the Swift form of a mangled name, cut to a number of characters.
    package static func demangled(_ name: String, limit: Int = 200) -> String {
        var name = name
        let demangled = name.withUTF8 { bytes -> String? in
            guard let text = unsafe swiftDemangle(bytes.baseAddress, bytes.count, nil, nil, 0) else { return nil }
            defer { unsafe free(text) }
            return unsafe String(cString: text)
        }
        return String((demangled ?? name).prefix(limit))
    }

    /// Returns the module of a Swift function; nil for a function of C or of the standard library.
    package static func module(ofMangled name: String) -> Substring? {
        var rest = name.utf8.dropFirst(2)
        guard name.hasPrefix("$s") else { return nil }
        // The function extends a type of the standard library, as in `Sa7MyModuleE`.
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

/// A mapped file whose contents are not trusted, so each read is checked against the file's size.
@safe
private final class MappedFile {
    struct Section {
        let bytes: Range<Int>
        /// The index of the section to which this section's header refers.
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

    /// Returns a little-endian number; nil if the place is outside of the file.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int, _ type: Number.Type) -> Number? {
        guard place >= 0, place <= size - MemoryLayout<Number>.size else { return nil }
        return unsafe Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: type))
    }

    /// Returns the bytes up to a zero, as text.
    func text(at place: Int, before end: Int) -> String? {
        guard place >= 0, place < end, end <= size else { return nil }
        return unsafe String(decoding: bytes[place..<end].prefix(1_024).prefix { $0 != 0 }, as: UTF8.self)
    }

    func section(ofType type: UInt32) -> Section? {
        guard let count = number(at: 60, UInt16.self) else { return nil }
        return (0..<Int(count)).first { header($0).flatMap { number(at: $0 + 4, UInt32.self) } == type }
            .flatMap { section($0) }
    }

    func section(_ index: Int) -> Section? {
        guard let header = header(index),
            let start = number(at: header + 24, UInt64.self).flatMap({ Int(exactly: $0) }),
            let count = number(at: header + 32, UInt64.self).flatMap({ Int(exactly: $0) }),
            let link = number(at: header + 40, UInt32.self), start <= size, count <= size - start
        else { return nil }
        return Section(bytes: start..<(start + count), link: Int(link))
    }

    /// Returns the offset of a section's header; each has 64 bytes, in a table that the file's own header locates.
    private func header(_ index: Int) -> Int? {
        guard let table = number(at: 40, UInt64.self).flatMap({ Int(exactly: $0) }),
            let count = number(at: 60, UInt16.self),
            index < Int(count), table <= size
        else { return nil }
        return table + index * 64
    }
}
