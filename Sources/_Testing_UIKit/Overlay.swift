// Swift Testing declares this module as its overlay for modules named UIKit. The compiler therefore imports this module
// into a file that imports both Testing and UIKit. On Apple's platforms, the overlay attaches images to tests. Here the
// module is empty, but without the module, no test could import both.
