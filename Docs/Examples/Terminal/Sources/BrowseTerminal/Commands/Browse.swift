package import ArgumentParser

/// The root command.
package struct Browse: ParsableCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "browse",
        abstract: "Looks around on GitHub: who follows whom, and who they are.",
        discussion: """
            Without --live or --base-url it uses bundled data and no network; try octocat, mockworks or haneul-kim.
            On a terminal it draws tables; to a file or a pipe it writes lines of tab-separated fields for programs: \
            login, id, kind and page for lists, key and value for a profile.

            \(Outcome.explanation)
            """,
        subcommands: [FollowersCommand.self, FollowingCommand.self, ProfileCommand.self]
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
