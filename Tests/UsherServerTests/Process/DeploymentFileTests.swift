import Foundation
import HelloBye
import LocalhostClient
import Programs
import Testing
import UsherHTTP
import UsherJSON
import UsherJournal

@testable import UsherServer

/// Compares the files in `deploy` that start servers with the server's options and behaviour.
@Suite("The files in the folder deploy", .blocking, .timeLimit(.minutes(5)))
struct DeploymentFileTests {
    @Test func `the command in the systemd unit starts a server that takes over from the previous server`() throws {
        let folder = try TemporaryFolder()
        let command = try Self.unitCommand(in: folder)
        let environment: [String: String?] = ["USHER_ADMIN_TOKEN": nil, "USHER_SESSION_ACCESS": nil]
        let first = try Program(usher: command, environment: environment)
        let client = LocalhostClient(port: try #require(first.readPort()), token: "the-operator-of-the-unit")
        #expect(try client.request("GET", "/metrics").status == 200)
        let second = try Program(usher: command, environment: environment)
        #expect(try #require(second.readPort()) == client.port)
        #expect(first.finish().status == 0)
        // The previous instance has closed its connections.
        #expect(try LocalhostClient(port: client.port).request("GET", "/readyz").status == 200)
        second.send(SIGTERM)
        #expect(second.finish().status == 0)
    }

    @Test(.enabled(if: OptionalProgram.has("systemd-analyze", "--version"), "systemd-analyze is not installed"))
    func `systemd-analyze verify accepts the unit`() throws {
        let folder = try TemporaryFolder()
        let text = try DeployedProxy.file("usher@.service", [("/opt/usher/%i/usher", "\(Program.products)/usher")])
        try folder.write(Array(text.utf8), to: "usher@1.3.service")
        let end = try Program.run(
            ["systemd-analyze", "verify", "--man=no", folder("usher@1.3.service")], errors: .together)
        #expect(end.status == 0 && !end.output.contains("usher@1.3.service:"), "\(end.output)")
    }

    @Test(
        .enabled(if: OptionalProgram.has("python3", "-c", "import yaml"), "python3-yaml is not installed"),
        arguments: ["kubernetes.yaml", "kubernetes.cluster.yaml"])
    func `the probes use existing endpoints, and the server reads every variable that the container sets`(name: String)
        async throws
    {
        let documents = try Self.yaml(name)
        let sets = documents.filter { $0[member: "kind"]?.string == "StatefulSet" }
        let set = try #require(sets.first)
        let container = try #require(set.at("spec", "template", "spec", "containers")?.elements.first { _ in true })
        let port = try #require(container[member: "ports"]?.elements.first { _ in true })
        #expect(port[member: "containerPort"]?.integer == 8080)
        let pod = set.at("spec", "template", "spec")
        #expect(pod?[member: "enableServiceLinks"]?.boolean == false, "else USHER_PORT is a Service's")
        let services = documents.filter { $0[member: "kind"]?.string == "Service" }
        #expect(!services.isEmpty)
        for service in services {
            #expect(service.at("spec", "ports")?.elements.map { $0[member: "targetPort"]?.string } == ["http"])
        }
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            for probe in ["livenessProbe", "readinessProbe", "startupProbe"] {
                let get = try #require(container[member: probe]?[member: "httpGet"])
                #expect(get[member: "port"]?.string == port[member: "name"]?.string)
                let path = try #require(get[member: "path"]?.string)
                // The kubelet of a node sends the pod's address.
                #expect(try await stage.request(.get, path, headers: ["Host": "10.244.1.7:8080"]).status == 200)
            }
        }
        let options = try Self.options(container)
        #expect(options.publicURL?.origin == "https://usher.example")
        #expect(options.trustedProxies.count == 1)
        let replicas = set.at("spec", "replicas")?.integer ?? 0
        #expect(replicas > 1 ? options.journal.isShared : replicas == 1)
        let grace = try #require(set.at("spec", "template", "spec", "terminationGracePeriodSeconds")?.integer)
        #expect(.seconds(grace) >= options.drain + .seconds(20))
    }

    /// Returns the arguments of the unit's command, with the test's files and any port.
    private static func unitCommand(in folder: TemporaryFolder) throws -> [String] {
        let token = try folder.write("the-operator-of-the-unit\n", to: "token", permissions: 0o600)
        let text = try DeployedProxy.file(
            "usher@.service", [("/var/lib/usher/", "\(folder.path)/"), ("%d/token", token), ("\\\n", "")])
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        let words = line.split(separator: " ").map(String.init)
        #expect(words.first == "ExecStart=/opt/usher/%i/usher")
        return Array(words.dropFirst()) + ["--port", "0"]
    }

    /// Returns the options that a container's variables set.
    private static func options(_ container: JSONValue) throws -> ServeOptions {
        // The same values as in docker/Dockerfile.
        var variables = [
            "USHER_HOST": "0.0.0.0", "USHER_PORT": "8080", "USHER_JOURNAL": "sqlite:/var/lib/usher/journal.sqlite",
        ]
        for variable in container[member: "env"]?.elements.map({ $0 }) ?? [] {
            let name = try #require(variable[member: "name"]?.string)
            variables[name] = variable[member: "value"]?.string ?? "usher-0"
        }
        var read: Set<String> = []
        let engine = JournalEngine(name: "PostgreSQL", schemes: ["postgres"]) { _ in NoDatabase() }
        let command = try Command(["serve"], engines: [engine]) { name in
            read.insert(name)
            return variables[name]
        }
        #expect(Set(variables.keys.filter { $0.hasPrefix("USHER_") }).subtracting(read) == [])
        guard case .serve(let options) = command else { throw Missing() }
        return options
    }

    private struct NoDatabase: JournalDatabase {
        var description: String { "no database" }

        func open(as server: SharingServer) throws -> any Journal { throw Missing() }
        func inspect(keyFile: String?) throws -> any Journal { throw Missing() }
        func migrate() throws -> String { throw Missing() }
    }

    private struct Missing: Error {}

    /// Returns the documents of a YAML file, parsed by Python.
    private static func yaml(_ name: String) throws -> [JSONValue] {
        let reader = "import json, sys, yaml; json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout)"
        let end = try Program.run(["python3", "-c", reader], input: DeployedProxy.folder.appending(path: name).path)
        try #require(end.status == 0, "\(end.error)")
        return try JSONDocument(parsing: Array(end.output.utf8)).root.elements.map { $0 }
    }
}

/// An optional program.
enum OptionalProgram {
    static func has(_ command: String...) -> Bool { (try? Program.run(command))?.status == 0 }
}

extension JSONValue {
    /// Returns a member at a path of names.
    fileprivate func at(_ path: String...) -> JSONValue? {
        path.reduce(self) { value, name in value?[member: name] }
    }
}
