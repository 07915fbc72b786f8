struct Order {
    let film: Film
    let seats: [String]
    let user: User
}
