import Testing
import UsherReflection

@Suite("The lifetime of an object that reports its own end")
struct ObjectLifeTests {
    @Test func `an object's life refers to the object until the object is deallocated`() {
        var object: Mortal? = Mortal()
        let life = object?.life
        #expect(life?.object === object)
        #expect(life?.isOver == false)
        object = nil
        #expect(life?.object == nil)
        #expect(life?.isOver == true)
    }

    @Test func `an object's life retains the object only while the object is used`() throws {
        var object: Mortal? = Mortal()
        let life = try #require(object?.life)
        var used = life.object
        object = nil
        #expect(used != nil)
        #expect(!life.isOver)
        used = nil
        #expect(life.isOver)
    }

    /// The reader and the releasing task use the object at the same time, and either may be the last.
    @Test func `an object's life can be read while another thread releases the object`() async {
        for _ in 0..<500 {
            let (life, release) = Self.beginLife()
            while !life.isOver {
                if let object = life.object as? Mortal { #expect(object.text == "alive") }
                await Task.yield()
            }
            await release.value
            #expect(life.object == nil)
        }
    }

    /// Returns the life of an object that only a task holds, which releases it.
    private static func beginLife() -> (life: ObjectLife, release: Task<Void, Never>) {
        let object = Mortal()
        return (object.life, Task.detached { _ = object.text })
    }
}

private final class Mortal: @unchecked Sendable {
    // Unchecked, because the test sets it before another task has the object.
    private(set) lazy var life = ObjectLife(of: self)
    let text = "alive"

    deinit { life.end() }
}
