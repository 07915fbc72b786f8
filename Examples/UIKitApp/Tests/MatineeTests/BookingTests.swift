import Testing
import UIKit
import Usher
import UsherTesting

@testable import MatineeServer

@Suite
struct BookingTests {
    private let film = Film(id: 2, title: "The Lighthouse Keeper", minutes: 121)

    @Test func `after a user books seats, the list of tickets shows the ticket`() async throws {
        let app = try await openSeats()
        app.expectStack("\(withDetail) ⊕ fullScreen[seats]")
        app.send(.toggle(seat: "C4"), on: SeatsScreen.self)
        app.send(.pay, on: SeatsScreen.self)
        app.expectVisible(PaymentScreen(film: film, seats: ["C4"], isBusy: false, failure: nil))
        app.send("pay")
        await app.settle()
        let ticket = Ticket(id: 1, film: film, seats: ["C4"])
        app.expectVisible(ConfirmationScreen(ticket: ticket))
        app.send("done")
        app.expectStack(withDetail)
        app.back()
        app.select("Tickets")
        await app.settle()
        app.expectVisible(TicketListScreen(tickets: [ticket]))
    }

    @Test func `the payment screen reports a seat that is taken`() async throws {
        let app = try await openSeats()
        app.send(.toggle(seat: "A1"), on: SeatsScreen.self)
        app.send(.pay, on: SeatsScreen.self)
        app.send("pay")
        await app.settle()
        app.expectVisible(PaymentScreen(film: film, seats: ["A1"], isBusy: false, failure: "Seat A1 is taken"))
        app.back()
        app.expectStack("\(withDetail) ⊕ fullScreen[seats]")
    }

    @Test func `the chosen seats are reserved for one minute`() async throws {
        let app = try await openSeats()
        app.advance(by: .seconds(59))
        app.expectVisible(SeatsScreen(film: film, seats: [], secondsLeft: 1))
        app.advance(by: .seconds(1))
        app.expectStack("\(withDetail) ⊕ fullScreen[seats] ⊕ alert[alert]")
        app.tap("OK")
        app.expectStack(withDetail)
    }

    @Test func `leaving a booking stops the booking's countdown`() async throws {
        let app = try await openSeats()
        app.send(.close, on: SeatsScreen.self)
        app.expectStack("\(withDetail) ⊕ fullScreen[seats] ⊕ actionSheet[alert]")
        app.tap("Give up")
        app.expectStack(withDetail)
        app.expectPending()
    }

    @Test func `a tap outside the action sheet closes the sheet and keeps the booking open`() async throws {
        let app = try await openSeats()
        app.send(.close, on: SeatsScreen.self)
        app.back()
        app.expectStack("\(withDetail) ⊕ fullScreen[seats]")
    }

    @Test func `a banner disappears after two seconds`() async throws {
        let app = try await openTabs()
        app.send(.select(id: 2), on: FilmListScreen.self)
        app.send("toggleWatchlist")
        app.expectVisible(FilmDetailScreen(film: film, isOnWatchlist: true, banner: "On your watchlist"))
        app.advance(by: .seconds(2))
        app.expectVisible(FilmDetailScreen(film: film, isOnWatchlist: true, banner: nil))
    }

    @Test func `a film can be shared with the system's sheet`() async throws {
        let app = try await openTabs()
        app.send(.select(id: 2), on: FilmListScreen.self)
        app.send("share")
        app.expectStack("\(withDetail) ⊕ sheet[activity]")
        app.expectState(#"{"items":["The Lighthouse Keeper: matinee://films/2"]}"#)
        app.send("cancel")
        app.expectStack(withDetail)
    }

    private let withDetail = "tab(Films){Films[filmList, filmDetail], Tickets[ticketList], Profile[profile]}"
}
