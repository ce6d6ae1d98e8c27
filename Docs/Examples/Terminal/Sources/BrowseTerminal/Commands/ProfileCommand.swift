import ArgumentParser

/// `browse profile [NAME]`
struct ProfileCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command(
        "profile",
        "Show the profile of an account; without a name, your own.",
        "Your own requires a sign-in: browse login, or --token-env."
    )

    @Argument(help: "The username.")
    var name: String?
    @Flag(help: NameArgument.loginHelp)
    var login: Bool = false
    @OptionGroup var images: ImageOptions
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let screen = ProfileScreen(session: session, images: images)
        guard let name else { return try await screen.showOwn() }
        guard let login = session.login(name, isExact: login) else { return .usage }
        return try await screen.show(login)
    }
}
