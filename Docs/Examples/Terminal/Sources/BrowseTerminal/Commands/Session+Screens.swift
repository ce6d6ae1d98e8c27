import BrowseKit

extension Session {
    /// Sets the fields of a query, loads the results, and writes them.
    ///
    /// - Parameters:
    ///   - values: The values of fields by their ids; `nil` leaves the default, and a blank `q` is an error.
    ///   - configure: Changes the report of the loaded list.
    ///   - marks: Waits for the marks of rows, such as stars, before the results are written.
    func search<Model: SearchViewModel>(
        _ model: Model,
        as style: RowStyle<Model.Row>,
        _ values: [String: String?],
        all: Bool = false,
        configure: (inout ListReport<Model.Row>) -> Void = { _ in },
        marks: @MainActor () async -> Void = {}
    ) async throws(Sink.Failure) -> Outcome {
        var query = model.query
        for field in model.state.fields {
            guard let value = values[field.id] ?? nil else { continue }
            guard field.accepts(value) else {
                let choices = if case .choice(let choices) = field.input { choices.map(\.id) } else { ["on"] }
                printError("\(field.title): \(choices.filter { !$0.isEmpty }.joined(separator: ", "))")
                return .usage
            }
            query = field.setting(value, in: query)
        }
        model.query = query
        await model.submit()
        if let hint = model.state.hint {
            printError(hint)
            return .usage
        }
        await marks()
        return try await write(model, as: style, all: all) { report in
            report.summary = model.state.summary
            configure(&report)
        }
    }

    /// Waits until the rows of a list have the stars that are loaded.
    ///
    /// A list that was loaded before the stars marks its rows in a task of its own.
    func waitForStars<Model: ListViewModel>(in model: Model) async where Model.Row == RepoRow {
        let stars = container.gitHubSession().stars
        for await state in model.states
        where state.content.rows.allSatisfy({ $0.isStarred == stars.isStarred($0.id) }) { break }
    }

    /// Writes a list whose first page is loaded.
    ///
    /// - Parameters:
    ///   - all: Whether to load the other pages.
    ///   - configure: Changes the report of the loaded list.
    func write<Model: ListViewModel>(
        _ model: Model,
        as style: RowStyle<Model.Row>,
        all: Bool,
        configure: (inout ListReport<Model.Row>) -> Void = { _ in }
    ) async throws(Sink.Failure) -> Outcome {
        // After recovering a damaged file, the list of favorites is read again.
        for await state in model.states where state.content.status != .refreshing { break }
        if let notice = model.state.notice { printNote("\(notice.title): \(notice.text)") }
        if all, model.state.content.canLoadMore { await loadAll(model, style.unit) }
        var report = ListReport(session: self, style: style, title: model.state.title, isAll: all)
        configure(&report)
        return try report.write(model.state.content)
    }

    /// Loads all pages, until one fails or the task is canceled.
    private func loadAll<Model: ListViewModel>(_ model: Model, _ unit: Phrase.CountUnit) async {
        let progress = Progress(errors, canErase: canErase)
        func show(_ state: Model.State) { progress.show(texts(.loading(state.content.loadedCount, unit))) }
        show(model.state)
        let updates = Task {
            for await state in model.states { show(state) }
        }
        // The loaded rows stay after a failure or a cancellation.
        await model.loadAll()
        updates.cancel()
        // Nothing draws after this.
        await updates.value
        progress.clear()
    }
}
