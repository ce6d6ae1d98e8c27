import BrowseDomain
import BrowseKit
import BrowsePresentation

/// Shows one of an account's two lists, by driving its view model.
@MainActor
struct FollowListScreen {
    let session: Session
    let options: ListOptions

    func show(_ list: GitHub.FollowList) async throws(Sink.Failure) -> Outcome {
        let model = session.container.followerListViewModel()
        let progress = Progress(session.errors, canErase: session.canErase)
        if options.all { progress.show(session.words(.loading(0, .people))) }
        await model.show(list)
        // After the first page, since showing a list clears the filter.
        if !options.filter.isEmpty { model.filter = options.filter }
        if options.all, model.state.content.canLoadMore { await loadAll(model, progress) }
        progress.clear()
        let report = ListReport(
            session: session,
            style: RowStyles(session).users,
            title: model.state.title,
            isAll: options.all,
            isFiltered: !options.filter.isEmpty
        )
        return try report.write(model.state.content)
    }

    private func loadAll(_ model: FollowerListViewModel, _ progress: Progress) async {
        progress.show(session.words(.loading(model.state.content.loadedCount, .people)))
        let watch = Task {
            for await state in model.states(.newest) {
                progress.show(session.words(.loading(state.content.loadedCount, .people)))
            }
        }
        // Told to stop, this returns soon; what came until then stays.
        await model.loadAll()
        watch.cancel()
        // Nothing is drawn once this is over.
        await watch.value
    }
}
