import Glibc
import RecordedDisk
import Tudy
import Usher
import UsherServer

/// A server with a disk and clocks that a test controls.
///
/// Its disk calls are written to the file in `USHER_TEST_DISK`, and its clocks are moved by the file in
/// `USHER_TEST_CLOCK`.
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
