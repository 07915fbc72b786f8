/// Whether a coordinator's handler runs, so that what it reads counts.
///
/// Bound to the task, or to the thread where there is none: an effect may read elsewhere at the same time.
enum HandlerScope {
    @TaskLocal static var isOn = false
}
