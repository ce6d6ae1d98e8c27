package import ArgumentParser

/// The root command.
package struct Browse: ParsableCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "browse",
        abstract: "Looks around on GitHub, in Rick and Morty and in the App Store, and keeps what you like.",
        discussion: """
            Without --live or --base-url it uses bundled data and no network; try octocat, mockworks or haneul-kim.
            On a terminal it draws tables; to a file or a pipe it writes lines of tab-separated fields for programs: \
            login, id, kind and page for accounts, key and value for a profile. With --json it writes JSON anywhere.

            What you see is as the server has it, or as it was seen last when the server can't be reached; then it says \
            from when it is.

            \(Outcome.explanation)
            """,
        subcommands: [
            FollowersCommand.self, FollowingCommand.self, ProfileCommand.self, SearchCommand.self, ReposCommand.self,
            StarredCommand.self, StarCommand.self, UnstarCommand.self, FavoritesCommand.self, LoginCommand.self,
            LogoutCommand.self, WhoamiCommand.self, CharactersCommand.self, CharacterCommand.self,
            EpisodesCommand.self, EpisodeCommand.self, LocationsCommand.self, LocationCommand.self, AppsCommand.self,
            AppCommand.self, LimitsCommand.self, ImageCommand.self,
        ]
    )

    package init() {}
}

/// A command that shows something.
protocol ScreenCommand: ParsableCommand {
    var common: CommonOptions { get }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome
}

extension Browse {
    static let seeExitCodes: String = "The exit codes are listed in `browse --help`."
}
