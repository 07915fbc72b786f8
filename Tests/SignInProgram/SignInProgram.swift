import SampleAccounts
import SampleBackend
import Sooda
import Tudy
import Usher
import UsherProcess
import UsherServer

/// A server with the samples that sign in, and with a test's backend on the port in `USHER_TEST_BACKEND`.
@main
enum SignInProgram: ServerProgram {
    static var apps: [any App.Type] { [AtBackend<SoodaApp>.self, AtBackend<TudyApp>.self] }
}

/// A sample whose accounts are in a backend.
enum AtBackend<Sample: App>: App where Sample.Services == AccountServices {
    static var name: String { Sample.name }
    static var options: Sample.Options { Sample.options }

    static func root(_ options: Sample.Options) throws -> sending AnyCoordinator { try Sample.root(options) }

    static func services() throws -> AccountServices {
        guard let port = ProcessEnvironment.variable("USHER_TEST_BACKEND").flatMap({ Int($0) }) else {
            throw NoBackend()
        }
        return AccountServices(accounts: BackendAccounts(port: port))
    }
}

/// The environment contains no port of a backend.
struct NoBackend: Error {}
