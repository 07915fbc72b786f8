import Glibc

/// Reads whole files, such as a secret's file.
package enum WholeFile {
    /// Reads a file of at most `limit` bytes (64 MiB by default), or a pipe to its end.
    package static func read(_ path: String, limit: Int = 64 << 20) throws(SystemError) -> [UInt8] {
        try read(Descriptor(reading: path), path, limit)
    }

    fileprivate static func read(_ file: Descriptor, _ path: String, _ limit: Int) throws(SystemError) -> [UInt8] {
        var (contents, part) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
        while true {
            let count = unsafe part.withUnsafeMutableBytes { unsafe Descriptor.fill($0, from: file.number) }
            guard let count else { throw SystemError("read", path) }
            contents += part.prefix(count)
            guard contents.count <= limit else { throw SystemError("read", path, EFBIG) }
            guard count == part.count else { return contents }
        }
    }
}

/// A file that is read whole, and that only its owner should be able to read.
package struct PrivateFile: Sendable {
    /// The error if users other than this process's user and root may read or write a file.
    package struct ExposureError: Error, Equatable, CustomStringConvertible {
        fileprivate let path: String
        fileprivate let isForeign: Bool

        /// One sentence: what is wrong, and what to do.
        package var description: String {
            isForeign
                ? "\(path) belongs to another user, who can read and write it; make the server's user its owner with chown"
                : "\(path) can be read or written by users other than its owner; prevent that with chmod 600 \(path)"
        }
    }

    package let contents: [UInt8]
    /// The error if other users may read or write the file; nil if they may not.
    package let exposure: ExposureError?

    /// Reads a file, or a pipe to its end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The largest number of bytes that the file may have.
    ///   - isForGroup: Pass true if the file's group may read and write it.
    package init(_ path: String, limit: Int, isForGroup: Bool = false) throws(SystemError) {
        let file = try Descriptor(reading: path)
        var status = stat()
        // Examines the open file, because a moment later another file may have its name.
        guard unsafe fstat(file.number, &status) == 0 else { throw SystemError("read", path) }
        exposure = Self.exposure(of: status, path, isForGroup)
        contents = try WholeFile.read(file, path, limit)
    }

    /// Returns an error if other users may read or write a file; nil if they may not, or if there is no file.
    ///
    /// - Parameter isForGroup: Pass true if the file's group may read and write it.
    package static func exposure(of path: String, isForGroup: Bool) -> ExposureError? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return exposure(of: status, path, isForGroup)
    }

    private static func exposure(of status: stat, _ path: String, _ isForGroup: Bool) -> ExposureError? {
        let user = geteuid()
        guard status.st_uid == user || status.st_uid == 0 else { return ExposureError(path: path, isForeign: true) }
        let isShared = isShared(status.st_mode, isOwn: status.st_uid == user, isForGroup: isForGroup)
        return isShared ? ExposureError(path: path, isForeign: false) : nil
    }

    /// Returns a Boolean value indicating whether a mode lets too many users read or write a file.
    ///
    /// If root owns the file, the group may read it: Kubernetes and systemd make root the owner of a secret, and let
    /// the service read the secret as a member of the file's group.
    static func isShared(_ mode: mode_t, isOwn: Bool, isForGroup: Bool) -> Bool {
        let group = isForGroup ? 0 : isOwn ? S_IRWXG : S_IWGRP
        return mode & (group | S_IRWXO) != 0
    }

    /// Returns a Boolean value indicating whether a file exists.
    package static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Deletes a file if it exists.
    package static func remove(_ path: String) {
        unsafe _ = unlink(path)
    }

    /// Writes a file atomically, with mode 0600; replaces an existing file.
    package static func write(_ contents: [UInt8], to path: String) throws(SystemError) {
        let draft = "\(path).new"
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("write", draft) }
        defer { close(descriptor) }
        guard Descriptor.write(contents, to: descriptor), fsync(descriptor) == 0 else {
            throw SystemError("write", draft)
        }
        guard unsafe rename(draft, path) == 0 else { throw SystemError("write", path) }
    }
}

/// A file with one key per line; lines that begin with `#` are comments.
package enum KeyFile {
    /// Returns the lines with a key, each with its number from 1; white space around a key is removed.
    package static func lines(of contents: [UInt8]) -> [(number: Int, key: ArraySlice<UInt8>)] {
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return zip(1..., lines).compactMap { number, line in
            let key = trimmed(line)
            guard let first = key.first, first != UInt8(ascii: "#") else { return nil }
            return (number, key)
        }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
        }
        var line = line.drop(while: isSpace)
        while let last = line.last, isSpace(last) { line.removeLast() }
        return line
    }
}
