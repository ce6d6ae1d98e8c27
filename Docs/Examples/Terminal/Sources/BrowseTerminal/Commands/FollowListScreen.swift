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
        if options.all { progress.show(session.words(.loading(0))) }
        await model.show(list)
        // After the first page, since showing a list clears the filter.
        if !options.filter.isEmpty { model.filter = options.filter }
        if options.all, model.state.content.canLoadAll { await loadAll(model, progress) }
        progress.clear()
        return try report(model.state)
    }

    private func loadAll(_ model: FollowerListViewModel, _ progress: Progress) async {
        progress.show(session.words(.loading(model.state.content.loadedCount)))
        let watch = Task {
            for await state in model.states(.newest) {
                progress.show(session.words(.loading(state.content.loadedCount)))
            }
        }
        // Told to stop, this returns soon; what came until then stays.
        await model.loadAll()
        watch.cancel()
        // Nothing is drawn once this is over.
        await watch.value
    }

    /// Rows first, then what went wrong: whatever was loaded is shown.
    private func report(_ state: FollowerListViewModel.State) throws(Sink.Failure) -> Outcome {
        let content = state.content
        if !content.rows.isEmpty { try print(state) }
        if content.skippedCount > 0 { session.note(session.words(.skipped(content.skippedCount))) }
        if let interruption = session.interruption {
            let count = content.loadedCount
            session.note(session.words(count > 0 ? .stopped(count) : .stoppedEarly))
            return interruption
        }
        switch content.status {
        case .empty(let message):
            return session.report(message)
        case .noMatches(let message):
            return session.report(message, hint: content.hasMore && !options.all ? .onlyFirstPage : nil)
        case .failed(let message), .failedMore(let message):
            return session.report(message, hint: session.hint(for: message))
        case .idle, .loading, .ready, .loadingMore:
            return .success
        }
    }

    private func print(_ state: FollowerListViewModel.State) throws(Sink.Failure) {
        let content = state.content
        guard session.output.isTerminal else {
            try session.output.print(content.rows.lazy.map(\.fields))
            // A list that looks whole and is not is told of, where a person is there to read it.
            // A failure or an interruption tells it by itself.
            if content.hasMore, content.status == .ready, session.interruption == nil, session.errors.isTerminal {
                session.note(footer(content))
            }
            return
        }
        let words = session.words
        let table = Table(
            [
                Table.Column(words(.login), leastWidth: .max),
                Table.Column(words(.kind), leastWidth: 4),
                Table.Column(words(.id), leastWidth: .max, isNumeric: true),
                Table.Column(words(.webPage), leastWidth: 20),
            ],
            rows: content.rows.map { user in
                [
                    user.login.rawValue, words.kind(user.kind), String(user.id.rawValue), user.webPage?.rawValue ?? "",
                ]
            }
        )
        let width = session.output.columns()
        try session.output.print([Line(state.title.harmless.cut(to: width), .bold), Line()])
        try session.output.print(table.lines(width: width))
        try session.output.print([Line(), Line(footer(content).cut(to: width), .dim)])
    }

    private func footer(_ content: ListState<UserRow>) -> String {
        let invites = content.hasMore && !options.all
        let count = content.loadedCount
        guard options.filter.isEmpty else {
            let matches = content.rows.count
            return session.words(invites ? .matchingUseAll(matches, of: count) : .matching(matches, of: count))
        }
        guard content.hasMore else { return session.words(.all(count)) }
        return session.words(invites ? .loadedUseAll(count) : .loaded(count))
    }
}

extension ListState {
    /// Whether the first page came, and others may follow.
    fileprivate var canLoadAll: Bool {
        switch status {
        case .ready, .noMatches: hasMore
        // An empty page may have a next one.
        case .empty: hasMore
        case .idle, .loading, .loadingMore, .failed, .failedMore: false
        }
    }
}

extension GitHub.User {
    /// The row for programs: login, id, kind, page. Its order and meaning do not change.
    fileprivate var fields: Line {
        Line(fields: [login.rawValue, String(id.rawValue), kind.rawValue, webPage?.rawValue ?? ""])
    }
}

extension Words {
    /// The kind of an account; GitHub's word where there is no other.
    func kind(_ kind: GitHub.User.Kind) -> String {
        switch kind {
        case .user: self(.user)
        case .organization: self(.organization)
        case .bot: self(.bot)
        case .mannequin: self(.mannequin)
        default: kind.rawValue
        }
    }
}
