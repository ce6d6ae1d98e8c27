import BrowseDomain

/// A view model whose screen shows one entity.
@MainActor
public protocol DetailViewModel<State>: ViewModel where State: DetailScreenState {
    /// The intents of the entity.
    var detail: DetailControls { get }
}

extension DetailViewModel {
    /// Loads the entity if it isn't loaded or couldn't be refreshed; otherwise, missing related
    /// items.
    ///
    /// One that is cached because the server couldn't be reached couldn't be refreshed.
    public func retry() async { await LoadOptions.$current.withValue(.retrying) { await detail.retry() } }

    /// Loads the entity again, then its related items.
    ///
    /// The entity and the items stay until newer ones arrive. If the load fails, they still stay,
    /// with a notice, unless the server no longer has the entity. If it's canceled, nothing
    /// changes. A call during a load waits for that load, unless the server didn't answer it.
    public func refresh() async { await LoadOptions.$current.withValue(.retrying) { await detail.refresh() } }

    /// Removes the notice beside the entity.
    public func dismissNotice() { detail.dismissNotice() }

    /// Performs the action of a message.
    ///
    /// `.changeInput` does nothing: only the front end knows its fields.
    ///
    /// - Returns: The screen or page to open; `nil` if there is none.
    @discardableResult
    public func perform(_ action: Message.Action) async -> Route? {
        switch action {
        case .retry, .retryLater: await retry()
        case .loadAll, .clearFilter, .changeInput, .signIn, .open: break
        }
        return action.route
    }

    /// Adds the entity to the favorites, or removes it.
    ///
    /// The state changes before this method first suspends, and the notice is removed. If storing
    /// fails, it changes back, and the screen shows a notice. Returns when storing ends. Of several
    /// changes, the last one wins.
    ///
    /// It does nothing until the entity is loaded, or without ``ScreenOptions/favorites``. For an
    /// entity that isn't `Favoritable`, it needs ``DetailController/markFavorite(as:)``, too. A
    /// call without effect is reported as for a list.
    public func setFavorite(to isFavorite: Bool) async {
        await detail.setFavorite { _ in isFavorite }
    }

    /// Adds the entity to the favorites, or removes it if it's shown as a favorite; see
    /// ``setFavorite(to:)``.
    public func toggleFavorite() async { await detail.setFavorite(!) }
}
