#if os(iOS)
import BrowseKit
public import UIKit

/// A collection view of an account's followers, with batch updates.
///
/// It uses the same view model as ``FollowerListView``, and leaves out what isn't about collection views: images, and a footer for
/// the next page.
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
    private let open: (Route) -> Void
    /// The rows that the collection view shows, which may be older than those of the state.
    private var shown = Rows<UserRow>()
    /// The tasks of visible rows by cell, since the positions of cells change with the rows.
    private var appearances: [ObjectIdentifier: Task<Void, Never>] = [:]
    private var load: Task<Void, Never>?
    private let close: String
    private let registration: UICollectionView.CellRegistration<UICollectionViewListCell, UserRow>

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - list: The account and the direction.
    ///   - container: Creates the view model.
    ///   - open: Opens the profile of a row, such as by pushing it, or the sign-in.
    public init(list: GitHub.FollowList, container: Container, open: @escaping (Route) -> Void) {
        self.list = list
        self.open = open
        close = container.texts()(.close)
        registration = Self.registration(favorite: container.texts()(.favorite))
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
        let refreshControl = UIRefreshControl()
        let refresh = UIAction { [model, weak refreshControl] _ in
            Task {
                await model.refresh()
                refreshControl?.endRefreshing()
            }
        }
        refreshControl.addAction(refresh, for: .valueChanged)
        collectionView.refreshControl = refreshControl
    }

    public override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        load?.cancel()
        load = Task { [model, list] in await model.showIfNeeded(list) }
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        load?.cancel()
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
        // A cell that is animated away may still have a position of the old rows.
        guard shown.indices.contains(path.item) else { return }
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

    public override func collectionView(_ view: UICollectionView, didSelectItemAt path: IndexPath) {
        view.deselectItem(at: path, animated: true)
        if let route = model.select(shown[path.item].id) { open(route) }
    }

    private func apply(_ state: FollowerListViewModel.State) {
        title = state.title
        navigationItem.prompt = state.content.layout.header?.text ?? state.content.age
        contentUnavailableConfiguration = placeholder(for: state.content)
        if let notice = state.notice, presentedViewController == nil { present(alert(for: notice), animated: true) }
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
    private func placeholder(for list: ListState<UserRow>) -> UIContentUnavailableConfiguration? {
        switch list.layout.placeholder {
        case .spinner?: return .loading()
        case .message(let message)?:
            var configuration = UIContentUnavailableConfiguration.empty()
            configuration.text = message.title
            configuration.secondaryText = message.text
            // This screen has no input to change.
            if let action = message.action, action != .changeInput {
                configuration.button.title = message.actionTitle
                configuration.buttonProperties.primaryAction = UIAction { [model, open] _ in
                    Task {
                        if let route = await model.perform(action) { open(route) }
                    }
                }
            }
            return configuration
        case .more?, nil: return nil
        }
    }

    /// A message beside the rows, such as that a favorite couldn't be stored.
    private func alert(for notice: Message) -> UIAlertController {
        let alert = UIAlertController(title: notice.title, message: notice.text, preferredStyle: .alert)
        if let action = notice.action {
            let perform = UIAlertAction(title: notice.actionTitle, style: .default) { [weak self, model, open] _ in
                self?.didShow(notice)
                Task {
                    if let route = await model.perform(action) { open(route) }
                }
            }
            alert.addAction(perform)
        }
        alert.addAction(UIAlertAction(title: close, style: .cancel) { [weak self] _ in self?.didShow(notice) })
        return alert
    }

    /// Dismisses a notice, or shows the one that has replaced it meanwhile.
    private func didShow(_ notice: Message) {
        if model.state.notice == notice { model.dismissNotice() } else { apply(model.state) }
    }

    private func path(_ position: Int) -> IndexPath {
        IndexPath(item: position, section: 0)
    }

    private static func registration(
        favorite: String
    ) -> UICollectionView.CellRegistration<UICollectionViewListCell, UserRow> {
        UICollectionView.CellRegistration { cell, _, row in
            var content = cell.defaultContentConfiguration()
            content.text = row.login.rawValue
            cell.contentConfiguration = content
            cell.accessories = (row.isFavorite ? [heart(labeled: favorite)] : []) + [.disclosureIndicator()]
        }
    }

    /// The mark of a favorite.
    private static func heart(labeled label: String) -> UICellAccessory {
        let heart = UIImageView(image: UIImage(systemName: "heart.fill"))
        heart.tintColor = .systemPink
        heart.isAccessibilityElement = true
        heart.accessibilityLabel = label
        return .customView(configuration: .init(customView: heart, placement: .trailing()))
    }
}
#endif
