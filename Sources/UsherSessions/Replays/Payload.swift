/// What an entry keeps of an input.
struct Payload {
    let json: [UInt8]
    /// Where in it secrets stand: whole JSON values, in order.
    let secrets: [Range<Int>]
}
