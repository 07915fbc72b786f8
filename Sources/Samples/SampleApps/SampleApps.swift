import HelloBye
import Notes
import Sooda
import StartLoginMain
import Tudy
package import Usher

/// The sample apps that the sample servers list; each follows an article about coordinators.
package enum SampleApps {
    package static var all: [any App.Type] {
        [HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self]
    }
}
