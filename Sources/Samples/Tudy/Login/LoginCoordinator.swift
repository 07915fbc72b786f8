import Usher

/// Lets a guest log in or sign up, and finishes with the user.
final class LoginCoordinator: Coordinator<User> {
    private var login: Handle<LoginScreen>?

    override func start() {
        login = push(LoginScreen()) { me, event in
            switch event {
            case .close: me.cancel()
            case .showSignUp: me.askName()
            case .login(let name, let password): me.logIn(SignIn(name: name, password: password))
            }
        }
    }

    private func logIn(_ signIn: SignIn) {
        login?.update { $0.failure = nil }
        perform(signIn) { me, result in
            switch result {
            case .success(let user): me.finish(user)
            case .failure(let failure): me.login?.update { $0.failure = failure.message }
            }
        }
    }

    private func askName() {
        push(SetNameScreen()) { me, event in
            switch event {
            case .next(""): throw Refusal("a name cannot be empty; choose one")
            case .next(let name): me.askInterestedJob(of: name)
            }
        }
    }

    // Each step passes the answers so far to the next step, so no outdated answer remains if the user goes back and
    // changes it.
    private func askInterestedJob(of name: String) {
        push(SetInterestedJobScreen()) { me, event in
            switch event {
            case .next(let job): me.askSubway(of: name, job: job)
            }
        }
    }

    private func askSubway(of name: String, job: String) {
        push(SetSubwayScreen()) { me, event in
            switch event {
            case .next(let station): me.welcome(WelcomeScreen(name: name, job: job, station: station))
            }
        }
    }

    private func welcome(_ screen: WelcomeScreen) {
        push(screen) { me, event in
            switch event {
            case .done: me.finish(User(id: 3, name: screen.name))
            }
        }
    }
}
