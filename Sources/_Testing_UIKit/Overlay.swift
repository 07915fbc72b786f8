// Swift Testing declares this module as its overlay for modules named UIKit, and the compiler imports it with both. On
// Apple's platforms the overlay attaches images to tests. Here it is empty, but without it no test could import both.
