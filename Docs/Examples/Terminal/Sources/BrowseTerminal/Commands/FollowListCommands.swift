import ArgumentParser
import BrowseKit

/// `browse followers NAME`
struct FollowersCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("followers", "List the followers of an account.")

    @OptionGroup var name: NameArgument
    @OptionGroup var list: ListOptions
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let login = session.login(name) else { return .usage }
        return try await session.show(.followers(of: login), list)
    }
}

/// `browse following NAME`
struct FollowingCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("following", "List the accounts that an account follows.")

    @OptionGroup var name: NameArgument
    @OptionGroup var list: ListOptions
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let login = session.login(name) else { return .usage }
        return try await session.show(.following(by: login), list)
    }
}

extension Session {
    /// Loads a list of accounts with its view model, and writes it.
    fileprivate func show(_ list: GitHub.FollowList, _ options: ListOptions) async throws(Sink.Failure) -> Outcome {
        let model = container.followerListViewModel()
        await model.show(list)
        // After the first page, because showing a list clears the filter.
        if !options.filter.isEmpty { model.filter = options.filter }
        return try await write(model, as: RowStyles(self).users, all: options.all) {
            $0.isFiltered = !options.filter.isEmpty
        }
    }
}
