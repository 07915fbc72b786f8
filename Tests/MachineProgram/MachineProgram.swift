import Glibc
import RecordedDisk
import Tudy
import Usher
import UsherServer

/// A server on a machine of a test's own: the calls to its disk are written to the file that `USHER_TEST_DISK` names, and
/// its clocks are moved by what stands in the one that `USHER_TEST_CLOCK` names.
@main
enum MachineProgram {
    @MainActor static func main() async {
        if let path = unsafe getenv("USHER_TEST_DISK"), let log = DiskLog(at: unsafe String(cString: path)) {
            _ = RecordedDisk(logging: log)
        }
        await SampleServer.main()
    }
}

private enum SampleServer: ServerProgram {
    static var apps: [any App.Type] { [TudyApp.self] }
}
