#if os(iOS)
import BrowseKit
public import UIKit

/// A collection view of an account's followers, with batch updates.
///
/// It uses the same view model as ``FollowerListView``.
///
/// Batch updates have three rules for positions, and `ListChange` follows them:
/// - Deletions name items by their positions **before** the update: `removed` is in the old rows.
/// - Insertions name them by their positions **after** it: `inserted` and `appended` are in the new rows.
/// - Reloading inside of an update would name items by their old positions. `updated` is in the new rows, so these items are
///   reconfigured after it.
///
/// The data source must have the new rows when the update begins to count them, and never before: ``shown`` is set inside of the
/// closure. `change(since:)` compares with what is shown, so states that were skipped meanwhile don't matter.
public final class FollowerCollectionController: UICollectionViewController {
    private let model: FollowerListViewModel
    private let list: GitHub.FollowList
    /// The rows that the collection view shows, which may be older than those of the state.
    private var shown = Rows<UserRow>()
    /// The tasks of visible rows by cell, since the positions of cells change with the rows.
    private var appearances: [ObjectIdentifier: Task<Void, Never>] = [:]
    private var load: Task<Void, Never>?
    private let registration = UICollectionView.CellRegistration<UICollectionViewListCell, UserRow> { cell, _, row in
        var content = cell.defaultContentConfiguration()
        content.text = row.login.rawValue
        cell.contentConfiguration = content
        cell.accessories = row.isFavorite ? [.checkmark()] : []
    }

    /// Creates the screen.
    public init(list: GitHub.FollowList, container: Container) {
        self.list = list
        model = container.followerListViewModel()
        let configuration = UICollectionLayoutListConfiguration(appearance: .plain)
        super.init(collectionViewLayout: UICollectionViewCompositionalLayout.list(using: configuration))
    }

    /// Storyboards don't have a container.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    deinit {
        load?.cancel()
        for appearance in appearances.values { appearance.cancel() }
    }

    public override func viewDidLoad() {
        super.viewDidLoad()
        // Ends with the view model, which only this controller owns.
        Task { [weak self, states = model.states] in
            for await state in states { self?.apply(state) }
        }
        load = Task { [model, list] in await model.showIfNeeded(list) }
    }

    public override func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        shown.count
    }

    public override func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell
    {
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: shown[path.item])
    }

    public override func collectionView(
        _ view: UICollectionView,
        willDisplay cell: UICollectionViewCell,
        forItemAt path: IndexPath
    ) {
        let id = shown[path.item].id
        let appearance = Task { [model] in await model.rowAppeared(id) }
        appearances.updateValue(appearance, forKey: ObjectIdentifier(cell))?.cancel()
    }

    public override func collectionView(
        _ view: UICollectionView,
        didEndDisplaying cell: UICollectionViewCell,
        forItemAt path: IndexPath
    ) {
        appearances.removeValue(forKey: ObjectIdentifier(cell))?.cancel()
    }

    private func apply(_ state: FollowerListViewModel.State) {
        title = state.title
        contentUnavailableConfiguration = placeholder(for: state.content.status)
        let rows = state.content.rows
        switch rows.change(since: shown) {
        case .none:
            break
        case .reset:
            shown = rows
            collectionView.reloadData()
        case .update(let update):
            collectionView.performBatchUpdates { [self] in
                shown = rows
                collectionView.deleteItems(at: update.removed.map(path))
                collectionView.insertItems(at: update.inserted.map(path) + update.appended.map(path))
            }
            collectionView.reconfigureItems(at: update.updated.map(path))
        }
    }

    /// What takes the place of the rows, with the action that helps.
    private func placeholder(for status: ListState<UserRow>.Status) -> UIContentUnavailableConfiguration? {
        switch status {
        case .loading:
            return .loading()
        case .empty(let message), .noMatches(let message), .failed(let message):
            var configuration = UIContentUnavailableConfiguration.empty()
            configuration.text = message.title
            configuration.secondaryText = message.text
            switch message.action {
            case .retry, .retryLater:
                configuration.button.title = message.actionTitle
                configuration.buttonProperties.primaryAction = UIAction { [model] _ in
                    Task { await model.retry() }
                }
            case .changeInput, .clearFilter, .loadAll, .signIn, nil:
                break
            }
            return configuration
        case .idle, .ready, .loadingMore, .refreshing, .failedMore:
            return nil
        }
    }

    private func path(_ position: Int) -> IndexPath {
        IndexPath(item: position, section: 0)
    }
}
#endif
