public import BrowseDomain

/// The place for one picture, such as that of a row.
///
/// It may be used again for another picture, as rows are: it never shows the one before. A front end whose rows come and go
/// sets ``request``; one that has a task to cancel calls ``show(_:)``.
@MainActor
public final class RemoteImageViewModel: ViewModel {
    /// What the place shows.
    public enum State: Equatable, Sendable {
        /// Nothing was asked for, or what was is no longer wanted.
        case idle
        /// The picture is on its way.
        case loading
        /// The picture is there.
        case loaded(EncodedImage)
        /// The picture did not come.
        case failed(Message)
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }

    private let store = StateStore(State.idle)
    private let images: any ImageRepository
    private let texts: Texts
    private let work = BackgroundWork()
    private let loads = LatestTask()
    private var current: ImageRequest?
    private var loadCount = 0

    /// Creates a place that shows nothing.
    public init(images: any ImageRepository, texts: Texts) {
        self.images = images
        self.texts = texts
    }

    /// The picture to show; `nil` is none.
    ///
    /// Setting it updates `state` at once, to `.loaded` when the image is cached in memory and to `.loading` otherwise, and
    /// cancels the load of another image.
    public var request: ImageRequest? {
        get { current }
        set {
            guard newValue != current || state == .idle, let load = begin(newValue) else { return }
            work.run(load)
        }
    }

    /// Shows a picture, and waits until it is there or has failed; cancelling the calling task cancels the load.
    public func show(_ request: ImageRequest?) async {
        await begin(request)?()
    }

    /// Asks again for a picture that did not come.
    public func retry() async {
        guard let current, case .failed = state else { return }
        images.forgetFailure(of: current)
        await show(current)
    }

    /// Starts over with a picture; returns what there is to wait for.
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
        // Waiting does not hold the view model, which is to go away with its row.
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
