package import ArgumentParser
import BrowseDomain

/// `browse followers NAME`
package struct FollowersCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "followers",
        abstract: "Lists the accounts that follow somebody.",
        discussion: Browse.seeExitCodes
    )

    @OptionGroup package var name: NameArgument
    @OptionGroup package var list: ListOptions
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let login = session.login(name) else { return .usage }
        return try await FollowListScreen(session: session, options: list).show(.followers(of: login))
    }
}
