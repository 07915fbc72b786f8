import Foundation
import Programs
import Testing
import UsherProcess

@Suite("Local sockets", .timeLimit(.minutes(5)))
struct LocalSocketTests {
    @Test func `messages go both ways and can carry a descriptor`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("passed".utf8), to: "file")
        let place = LocalSocketPath(folder: folder("sockets"), name: "one")
        let listener = try place.listen()
        let client = try #require(try place.connect())
        #expect(Descriptor.wait(for: [listener.descriptor])[0])
        let server = try #require(listener.accept())
        client.send("hello")
        client.send("again")
        #expect(server.receive()?.text == "hello")
        #expect(server.receive()?.text == "again")
        let file = Descriptor(taking: unsafe open(folder("file"), O_RDONLY))
        server.send("here", passing: file)
        let message = try #require(client.receive())
        #expect(message.text == "here")
        #expect(message.descriptor?.read() == "passed")
        #expect(message.descriptor?.number != file.number)
    }

    @Test func `the end of a connection is received as an empty message`() throws {
        let folder = try TemporaryFolder()
        let place = LocalSocketPath(folder: folder("sockets"), name: "one")
        let listener = try place.listen()
        let client = try #require(try place.connect())
        #expect(client.receive(until: MonotonicClock.now + 1_000_000) == nil)
        var server = listener.accept()
        #expect(server != nil)
        server = nil
        #expect(client.receive()?.text == "")
        #expect(!client.send("anybody?"))
    }

    @Test func `connecting to a missing or abandoned socket returns nil`() throws {
        let folder = try TemporaryFolder()
        let place = LocalSocketPath(folder: folder("sockets"), name: "one")
        #expect(try place.connect() == nil)
        #expect(!place.isAbandoned)
        // The program is killed, so it cannot remove its socket.
        let listener = try Program([
            "python3", "-c",
            """
            import os, socket, time
            os.mkdir("\(folder("sockets"))", 0o700)
            s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            s.bind("\(folder("sockets"))/one")
            s.listen()
            print("listening", flush=True)
            time.sleep(60)
            """,
        ])
        #expect(listener.readLine() == "listening")
        #expect(!place.isAbandoned)
        listener.send(SIGKILL)
        _ = listener.finish()
        #expect(try place.connect() == nil)
        #expect(place.isAbandoned)
    }

    @Test func `a new socket replaces an older socket at the same path, and stays when the older socket is closed`()
        throws
    {
        let folder = try TemporaryFolder()
        let place = LocalSocketPath(folder: folder("sockets"), name: "one")
        var first: LocalListener? = try place.listen()
        #expect(first != nil)
        var second: LocalListener? = try place.listen()
        first = nil
        let client = try #require(try place.connect())
        #expect(second?.accept() != nil)
        withExtendedLifetime(client) {}
        second = nil
        #expect(try folder.names == [])
    }

    @Test func `a socket's path may be longer than a socket address allows`() throws {
        let folder = try TemporaryFolder()
        let long = folder(String(repeating: "long", count: 40))
        let place = LocalSocketPath(folder: long, name: "one")
        let listener = try place.listen()
        #expect(try place.connect() != nil)
        withExtendedLifetime(listener) {}
    }

    @Test func `a socket's folder is refused if other users may enter the folder`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder("sockets"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let place = LocalSocketPath(folder: folder("sockets"), name: "one")
        #expect(throws: SystemError.self) { try place.listen() }
        #expect(throws: SystemError.self) { try place.connect() }
    }

    @Test func `a socket's new folder is accessible only by its owner`() throws {
        let folder = try TemporaryFolder()
        let listener = try LocalSocketPath(folder: folder("sockets"), name: "one").listen()
        #expect(try folder.attributes(of: "sockets")[.posixPermissions] as? Int == 0o700)
        withExtendedLifetime(listener) {}
    }
}
