import ArgumentParser

/// The root command.
struct Browse: ParsableCommand {
    static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "browse",
        abstract: "Browse GitHub, Rick and Morty, and the App Store.",
        discussion: """
            Without --live or --base-url, bundled data replaces the network. Try octocat, mockworks, or haneul-kim.

            On a terminal, the output is a table or a page. In a file or a pipe, it is lines of tab-separated fields; use --table \
            for tables, or --json for JSON. If the server can't be reached, cached data is shown with its age.

            \(Outcome.explanation)
            """,
        subcommands: [
            FollowersCommand.self, FollowingCommand.self, ProfileCommand.self, SearchCommand.self, RepoCommand.self,
            ReposCommand.self, StarredCommand.self, StarCommand.self, UnstarCommand.self, FavoritesCommand.self,
            LoginCommand.self,
            LogoutCommand.self, WhoamiCommand.self, CharactersCommand.self, CharacterCommand.self,
            EpisodesCommand.self, EpisodeCommand.self, LocationsCommand.self, LocationCommand.self, AppsCommand.self,
            AppCommand.self, ExportCommand.self, LimitsCommand.self, ImageCommand.self,
        ]
    )
}

/// A command that shows a screen.
protocol ScreenCommand: ParsableCommand {
    var common: CommonOptions { get }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome
}

extension CommandConfiguration {
    /// Returns the configuration of a command whose help refers to the list of exit codes.
    static func command(_ name: String, _ abstract: String, _ discussion: String = "") -> CommandConfiguration {
        let exitCodes = "For the exit codes, see `browse --help`."
        return CommandConfiguration(
            commandName: name,
            abstract: abstract,
            discussion: discussion.isEmpty ? exitCodes : discussion + " " + exitCodes
        )
    }

    /// Returns the configuration of a command that needs a sign-in.
    static func signedInCommand(_ name: String, _ abstract: String) -> CommandConfiguration {
        .command(name, abstract, "Requires a sign-in: browse login, or --token-env.")
    }
}
