import CMalloc

/// The memory that `malloc` keeps for later.
package enum HeapMemory {
    /// Gives freed memory back to the system.
    ///
    /// Freed blocks otherwise stay with the process for as long as something above them on the heap lives.
    package static func trim() {
        malloc_trim(0)
    }
}
