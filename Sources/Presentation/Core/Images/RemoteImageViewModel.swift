public import BrowseDomain

/// A view model of one image, such as that of a row.
///
/// It can be reused for another image, and then doesn't show the previous one. Set ``request`` in a
/// reused cell, and ``priority`` if the cell isn't visible yet. Or call ``show(_:)`` in a task that
/// is canceled when the view disappears.
@MainActor
public final class RemoteImageViewModel: ViewModel {
    /// The state of the view.
    public enum State: Equatable, Sendable {
        /// Nothing was requested, or the load was canceled.
        case idle
        /// The image is loading.
        case loading
        /// The image is loaded.
        case loaded(EncodedImage)
        /// The image couldn't be loaded.
        case failed(Message)
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }

    private let store = StateStore(State.idle)
    private let images: any ImageRepository
    private let texts: Texts
    private var current: ImageRequest?
    private let urgency = CoalescedPriority(.visible)
    private var load: CoalescedLoad?
    private var loadCount = 0

    /// Creates a view without an image.
    package init(images: any ImageRepository, texts: Texts) {
        self.images = images
        self.texts = texts
    }

    deinit { load?.cancel() }

    /// The image to show; `nil` shows none.
    ///
    /// Setting another image cancels the load, and changes the state at once: to `.loaded` if the
    /// image is cached in memory, and to `.loading` otherwise. An expired image is shown until the
    /// server has confirmed or replaced it. Setting the same image again does this only if it isn't
    /// shown, and its load has failed or was canceled: like ``showIfNeeded(_:)``.
    public var request: ImageRequest? {
        get { current }
        set {
            if newValue == current, state == .loading, let load, load.canBeJoined {
                load.keep()
            } else if newValue != current || !isLoaded {
                begin(newValue)?.keep()
            }
        }
    }

    /// The urgency of the load, which can change while it waits.
    ///
    /// It's `.visible` by default. Set `.prefetch` while the view is only near the visible part of
    /// a list.
    public var priority: LoadPriority {
        get { urgency.priority }
        set { urgency.setLowest(newValue) }
    }

    /// Shows an image; returns when it's loaded or has failed.
    ///
    /// A load of the same image that is in flight continues. Canceling the tasks of all callers
    /// cancels the load, unless ``request`` started it.
    public func show(_ request: ImageRequest?) async {
        if request == current, let load, load.canBeJoined { return await load.wait() }
        await begin(request)?.wait()
    }

    /// Shows an image unless it's shown already.
    ///
    /// An image that failed is loaded again; if the failure was the image's own, after
    /// `ImageLimits.failureLifetime`. Call it whenever the view appears.
    public func showIfNeeded(_ request: ImageRequest?) async {
        // A load that was canceled hasn't confirmed an expired image.
        if isLoaded, load == nil, request == current { return }
        await show(request)
    }

    /// Reports that the loaded image can't be decoded.
    ///
    /// The state changes as it does after a failed load, and ``retry()`` requests the image again.
    /// The SDK checks the format of an image, but doesn't decode it.
    ///
    /// - Parameter image: The image; does nothing if another one is shown by now, such as in a
    ///   reused cell. `nil` is the shown one.
    public func decodingFailed(of image: EncodedImage? = nil) async {
        guard let current, case .loaded(let shown) = state, shown == image ?? shown else { return }
        store.update { [texts] in $0 = .failed(texts.noImage) }
        await images.discard(current)
    }

    /// Loads the image again if it failed.
    public func retry() async {
        if case .failed = state { await reload() }
    }

    /// Asks the server for the image again, and shows the current one meanwhile.
    public func reload() async {
        await begin(current, isReload: true)?.wait()
    }

    private var isLoaded: Bool { if case .loaded = state { true } else { false } }

    /// Starts over with an image; returns its load.
    private func begin(_ request: ImageRequest?, isReload: Bool = false) -> CoalescedLoad? {
        let isShown = isLoaded && request == current
        load?.cancel()
        load = nil
        loadCount += 1
        current = request
        guard let request else {
            store.update { $0 = .idle }
            return nil
        }
        if !isReload, let image = images.cachedImage(for: request) {
            store.update { $0 = .loaded(image) }
            return nil
        }
        if !isShown { store.update { $0 = .loading } }
        // The load doesn't retain the view model, which is released with its row.
        load = CoalescedLoad(priority: urgency) { [weak self, images, urgency, loadCount] in
            if isReload { await images.invalidate(request) }
            let options = modified(LoadOptions.current) { $0.sharedPriority = urgency }
            if let image = await images.storedImage(for: request) { await self?.show(image, until: loadCount) }
            let result = await LoadOptions.$current.withValue(options) {
                await Result.of { () throws(BrowseError) in try await images.image(for: request) }
            }
            await self?.finish(loadCount, with: result)
        }
        return load
    }

    /// Shows a stored image until its load ends.
    private func show(_ image: EncodedImage, until load: Int) {
        if load == loadCount, state == .loading { store.update { $0 = .loaded(image) } }
    }

    private func finish(_ load: Int, with result: Result<EncodedImage, BrowseError>) {
        guard load == loadCount else { return }
        switch result {
        case .success(let image):
            self.load = nil
            store.update { $0 = .loaded(image) }
        case .failure(.cancelled): if state == .loading { store.update { $0 = .idle } }
        case .failure(let error): store.update { [texts] in $0 = .failed(texts.pictureMessage(for: error)) }
        }
    }
}

extension Phrase {
    fileprivate static let noImageTitle = Phrase("image.failed.title", "No Image", ko: "이미지 없음")
    fileprivate static let noImage = Phrase("image.failed", "The image can’t be loaded.", ko: "이미지를 불러올 수 없습니다.")
}

extension Texts {
    /// The message for an image that doesn't exist, or can't be decoded.
    var noImage: Message { message(.notFound, .noImage, titled: .noImageTitle, action: .retry) }

    /// Returns the message for an image that couldn't be loaded.
    func pictureMessage(for error: BrowseError) -> Message {
        switch error {
        case .unauthorized, .forbidden, .notFound, .rejected, .unusableResponse, .refused:
            return modified(noImage) { $0.error = error }
        case .cancelled, .unreachable, .timedOut, .rateLimited, .serverFailure, .storageFailed, .signInFailed:
            return message(for: error)
        }
    }
}
