// Swift Testing says that whoever imports it beside a module named UIKit is to be given a module of this name too: on
// Apple's platforms it attaches images to tests. Here there are none to attach, but without it no test could import both.
