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
        let progress = Progress(errors, canErase: canErase)
        if options.all { progress.show(texts(.loading(0, .people))) }
        await model.show(list)
        // After the first page, because showing a list clears the filter.
        if !options.filter.isEmpty { model.filter = options.filter }
        if options.all, model.state.content.canLoadMore { await loadAll(model, progress) }
        progress.clear()
        let report = ListReport(
            session: self,
            style: RowStyles(self).users,
            title: model.state.title,
            isAll: options.all,
            isFiltered: !options.filter.isEmpty
        )
        return try report.write(model.state.content)
    }

    private func loadAll(_ model: FollowerListViewModel, _ progress: Progress) async {
        progress.show(texts(.loading(model.state.content.loadedCount, .people)))
        let updates = Task {
            for await state in model.states(.newest) {
                progress.show(texts(.loading(state.content.loadedCount, .people)))
            }
        }
        // Returns early if it's canceled; the loaded rows stay.
        await model.loadAll()
        updates.cancel()
        // Nothing draws after this.
        await updates.value
    }
}
