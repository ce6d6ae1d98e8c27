import ArgumentParser
import BrowseKit
import Foundation

/// `browse repo OWNER/NAME`
struct RepoCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("repo", "Show a repository, with its README.")

    @Argument(help: "The owner and the name, such as octocat/hello-tentacles, or the address.")
    var name: String
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let repo = session.repo(name) else {
            session.printError(session.texts(.notRepo))
            return .usage
        }
        let model = session.container.repoDetailViewModel()
        async let starsLoaded: Void = session.container.gitHubSession().start()
        await model.show(named: repo.name, of: repo.owner)
        await starsLoaded
        // The screen marks a repository that was loaded before the stars in a task of its own.
        let stars = session.container.gitHubSession().stars
        for await state in model.states {
            guard let row = state.row, row.isStarred != stars.isStarred(row.id) else { break }
        }
        let (row, readme) = (model.state.row, model.state.readme.details ?? nil)
        let outcome = try session.write(model, isGitHub: true) { facts in
            DetailPage(title: facts.details.repo.fullName, fields: facts.facts, json: facts.json(row, readme))
        }
        // Lines for programs have no README.
        guard outcome == .success, session.output.isTerminal || session.isJSON else { return outcome }
        if !session.isJSON { try session.output.print(lines(of: readme, in: session)) }
        return model.state.readme.status.message.map { session.report($0, hint: session.hint(for: $0)) } ?? outcome
    }

    /// The README as plain text, without control characters.
    private func lines(of readme: GitHub.Readme?, in session: Session) -> [Line] {
        guard let readme else { return [] }
        let width = session.output.columns()
        // A tab becomes one space, which is too little for code.
        let lines = readme.text.replacing("\t", with: "    ").sanitizedLines.flatMap { $0.wrapped(to: width) }
        let note = readme.isTruncated ? [Line(session.texts(.readmeTruncated), .dim)] : []
        return [Line(), Line(session.texts(.readme), .bold)] + lines.map { Line($0) } + note
    }
}

extension RepoFacts {
    /// The repository for programs.
    fileprivate func json(_ row: RepoRow?, _ readme: GitHub.Readme?) -> JSON {
        let more: [String: JSON] = [
            "open_issues": JSON(details.openIssueCount), "homepage": JSON(details.homepage?.rawValue),
            "parent": JSON(details.parent?.fullName), "created": JSON(details.createdAt?.formatted(.iso8601)),
            "pushed": JSON(details.pushedAt?.formatted(.iso8601)), "starred": .flag(row?.isStarred == true),
            "readme": JSON(readme?.text),
        ]
        return details.repo.json(isFavorite: row?.isFavorite == true, starCount: row?.starCount, more)
    }
}
