import Glibc

/// A connection between two processes of one user, for short messages and descriptors.
package final class LocalConnection: Sendable {
    package struct Message: Sendable {
        /// The text; empty if the peer has closed the connection.
        package let text: String
        /// The descriptor that came with the text.
        package let descriptor: Descriptor?
    }

    /// A descriptor that is readable when a message has come or the connection has ended.
    package var descriptor: Int32 { socket.number }
    private let socket: Descriptor

    /// Creates a connection; nil if the peer is another user's process.
    init?(_ socket: Descriptor) {
        var credentials: [UInt32] = [0, .max, .max]  // The ids of the process, its user and its group.
        var size = socklen_t(12)
        guard unsafe getsockopt(socket.number, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
            credentials[1] == geteuid()
        else { return nil }
        self.socket = socket
    }

    /// Sends a message of at most 256 bytes, with a copy of a descriptor if one is given; `false` if the peer is gone.
    @discardableResult
    package func send(_ text: String, passing passed: Descriptor? = nil) -> Bool {
        var control = ControlMessage(passed?.number)
        return unsafe Self.exchange(Array(text.utf8), &control, hasControl: passed != nil) { header in
            unsafe sendmsg(socket.number, header, Int32(MSG_NOSIGNAL))
        }.count >= 0
    }

    /// Waits for a message; nil if none has arrived in time.
    ///
    /// - Parameter time: The time by the `MonotonicClock`; nil for no limit.
    package func receive(until time: Int64? = nil) -> Message? {
        guard Descriptor.wait(for: [socket.number], until: time)[0] else { return nil }
        var control = ControlMessage(nil)
        let result = unsafe Self.exchange([UInt8](repeating: 0, count: 256), &control, hasControl: true) { header in
            unsafe recvmsg(socket.number, header, Int32(MSG_DONTWAIT))
        }
        let text = String(decoding: result.bytes.prefix(max(0, result.count)), as: UTF8.self)
        return Message(text: text, descriptor: control.descriptor.map { Descriptor(taking: $0) })
    }

    private static func exchange(
        _ bytes: [UInt8], _ control: inout ControlMessage, hasControl: Bool,
        _ body: (UnsafeMutablePointer<msghdr>) -> Int
    ) -> (count: Int, bytes: [UInt8]) {
        var bytes = bytes
        let count = unsafe bytes.withUnsafeMutableBytes { content in
            var part = unsafe iovec(iov_base: content.baseAddress, iov_len: content.count)
            return unsafe withUnsafeMutablePointer(to: &part) { part in
                unsafe withUnsafeMutableBytes(of: &control) { control in
                    var header = unsafe msghdr()
                    unsafe header.msg_iov = part
                    unsafe header.msg_iovlen = 1
                    if hasControl {
                        unsafe header.msg_control = control.baseAddress
                        unsafe header.msg_controllen = control.count
                    }
                    return unsafe body(&header)
                }
            }
        }
        return (count, bytes)
    }
}

/// A control message with room for one descriptor; laid out as CMSG_SPACE does, a macro that Swift does not import.
private struct ControlMessage {
    private var header: cmsghdr
    private var number: Int32
    private var padding: Int32 = 0

    init(_ number: Int32?) {
        header = cmsghdr()
        self.number = number ?? -1
        guard number != nil else { return }
        header.cmsg_len = MemoryLayout<cmsghdr>.size + MemoryLayout<Int32>.size
        header.cmsg_level = SOL_SOCKET
        header.cmsg_type = Int32(SCM_RIGHTS)
    }

    var descriptor: Int32? {
        header.cmsg_level == SOL_SOCKET && header.cmsg_type == Int32(SCM_RIGHTS) && number >= 0 ? number : nil
    }
}
