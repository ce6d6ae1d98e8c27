public import BrowseDomain

/// An image view, such as that of a row.
///
/// It can be reused for another image, and then doesn't show the previous one. Set ``request`` in a reused cell, or call
/// ``show(_:)`` in a task that is canceled when the view disappears.
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
    private let work = BackgroundWork()
    private let loads = LatestTask()
    private var current: ImageRequest?
    private var loadCount = 0

    /// Creates a view without an image.
    public init(images: any ImageRepository, texts: Texts) {
        self.images = images
        self.texts = texts
    }

    /// The image to show; `nil` shows none.
    ///
    /// Setting it cancels the load of another image, and changes the state at once: to `.loaded` if the image is cached in
    /// memory, and to `.loading` otherwise.
    public var request: ImageRequest? {
        get { current }
        set {
            guard newValue != current || state == .idle, let load = begin(newValue) else { return }
            work.run(load)
        }
    }

    /// Shows an image; returns when it's loaded or has failed. Canceling the task cancels the load.
    public func show(_ request: ImageRequest?) async {
        await begin(request)?()
    }

    /// Shows an image unless it's shown already; an image that failed is loaded again.
    ///
    /// Call it whenever the view appears.
    public func showIfNeeded(_ request: ImageRequest?) async {
        if case .loaded = state, request == current { return }
        await show(request)
    }

    /// Reports that the loaded image can't be decoded.
    ///
    /// The state changes as it does after a failed load, and ``retry()`` requests the image again. The SDK checks the format and
    /// the length of an image, but doesn't decode it.
    public func decodingFailed() {
        guard let current, case .loaded = state else { return }
        images.discard(current)
        store.state = .failed(texts.noImage)
    }

    /// Loads the image again if it failed.
    public func retry() async {
        guard let current, case .failed = state else { return }
        images.forgetFailure(of: current)
        await show(current)
    }

    /// Starts over with an image; returns its load.
    private func begin(_ request: ImageRequest?) -> (@MainActor () async -> Void)? {
        loads.cancel()
        loadCount += 1
        current = request
        guard let request else {
            store.state = .idle
            return nil
        }
        if let image = images.cachedImage(for: request) {
            store.state = .loaded(image)
            return nil
        }
        store.state = .loading
        // The load doesn't retain the view model, which is released with its row.
        return { [weak self, loads, images, loadCount] in
            guard self?.loadCount == loadCount else { return }
            let result = await loads.run { () throws(BrowseError) in try await images.image(for: request) }
            guard self?.loadCount == loadCount else { return }
            self?.finish(with: result)
        }
    }

    private func finish(with result: Result<EncodedImage, BrowseError>) {
        store.state =
            switch result {
            case .success(let image): .loaded(image)
            case .failure(.cancelled): .idle
            case .failure(let error): .failed(texts.pictureMessage(for: error))
            }
    }
}
