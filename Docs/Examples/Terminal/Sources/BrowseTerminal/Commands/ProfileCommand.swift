package import ArgumentParser

/// `browse profile [NAME]`
package struct ProfileCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "profile",
        abstract: "Shows what an account tells about itself; without a name, your own.",
        discussion: "Your own needs a sign-in: browse login, or --token-env. " + Browse.seeExitCodes
    )

    @Argument(help: "The account's name.")
    package var name: String?

    @Flag(help: "Take the name as GitHub writes it.")
    package var login: Bool = false

    @OptionGroup package var pictures: PictureOptions
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let name else { return try await ProfileScreen(session: session, pictures: pictures).showOwn() }
        guard let login = session.login(name, isGitHubs: login) else { return .usage }
        return try await ProfileScreen(session: session, pictures: pictures).show(login)
    }
}
