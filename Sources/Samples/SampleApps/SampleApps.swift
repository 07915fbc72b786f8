import HelloBye
import Notes
import Sooda
import StartLoginMain
import Tudy
package import Usher

/// The apps of the articles, as the servers of the samples list them.
package enum SampleApps {
    package static var all: [any App.Type] {
        [HelloByeApp.self, NotesApp.self, SoodaApp.self, StartLoginMainApp.self, TudyApp.self]
    }
}
