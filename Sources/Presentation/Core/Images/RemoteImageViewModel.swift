public import BrowseDomain

/// A view model of one image, such as that of a row.
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
    private var current: ImageRequest?
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
    /// Setting another image cancels the load, and changes the state at once: to `.loaded` if the image is cached in memory, and to
    /// `.loading` otherwise. An expired image is shown until the server has confirmed or replaced it. Setting the same image again does this only in the state `.idle`, or if its load was canceled.
    public var request: ImageRequest? {
        get { current }
        set {
            if newValue == current, state == .loading, let load, load.canBeJoined {
                load.keep()
            } else if newValue != current || state == .idle || state == .loading {
                begin(newValue)?.keep()
            }
        }
    }

    /// Shows an image; returns when it's loaded or has failed.
    ///
    /// A load of the same image that is in flight continues. Canceling the tasks of all callers cancels the load, unless
    /// ``request`` started it.
    public func show(_ request: ImageRequest?) async {
        if request == current, let load, load.canBeJoined { return await load.wait() }
        await begin(request)?.wait()
    }

    /// Shows an image unless it's shown already.
    ///
    /// An image that failed is loaded again; if the failure was the image's own, after `ImageLimits.failureLifetime`. Call it
    /// whenever the view appears.
    public func showIfNeeded(_ request: ImageRequest?) async {
        if case .loaded = state, request == current { return }
        await show(request)
    }

    /// Reports that the loaded image can't be decoded.
    ///
    /// The state changes as it does after a failed load, and ``retry()`` requests the image again. The SDK checks the format
    /// of an image, but doesn't decode it.
    public func decodingFailed() {
        guard let current, case .loaded = state else { return }
        images.discard(current)
        store.state = .failed(texts.noImage)
    }

    /// Loads the image again if it failed.
    public func retry() async {
        if case .failed = state { await reload() }
    }

    /// Asks the server for the image again, and shows the current one meanwhile.
    public func reload() async {
        guard let current else { return }
        images.invalidate(current)
        await begin(current)?.wait()
    }

    /// Starts over with an image; returns its load.
    private func begin(_ request: ImageRequest?) -> CoalescedLoad? {
        let isShown = if case .loaded = state { request == current } else { false }
        load?.cancel()
        load = nil
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
        if !isShown { store.state = .loading }
        // The load doesn't retain the view model, which is released with its row.
        load = CoalescedLoad { [weak self, images, loadCount] in
            if let image = await images.storedImage(for: request) { await self?.show(image, until: loadCount) }
            let result = await Result.of { () throws(BrowseError) in try await images.image(for: request) }
            await self?.finish(loadCount, with: result)
        }
        return load
    }

    /// Shows a stored image until its load ends.
    private func show(_ image: EncodedImage, until load: Int) {
        if load == loadCount, state == .loading { store.state = .loaded(image) }
    }

    private func finish(_ load: Int, with result: Result<EncodedImage, BrowseError>) {
        guard load == loadCount else { return }
        switch result {
        case .success(let image): store.state = .loaded(image)
        case .failure(.cancelled): if state == .loading { store.state = .idle }
        case .failure(let error): store.state = .failed(texts.pictureMessage(for: error))
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
            var message = noImage
            message.error = error
            return message
        case .cancelled, .unreachable, .timedOut, .rateLimited, .serverFailure, .storageFailed, .signInFailed:
            return message(for: error)
        }
    }
}
