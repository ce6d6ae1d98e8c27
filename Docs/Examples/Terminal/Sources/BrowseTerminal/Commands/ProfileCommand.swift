package import ArgumentParser

/// `browse profile NAME`
package struct ProfileCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "profile",
        abstract: "Shows what an account tells about itself.",
        discussion: Browse.seeExitCodes
    )

    @OptionGroup package var name: NameArgument
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let login = session.login(name) else { return .usage }
        return try await ProfileScreen(session: session).show(login)
    }
}
