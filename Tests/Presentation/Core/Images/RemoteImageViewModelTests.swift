import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

extension RemoteImageViewModel.State {
    fileprivate var failure: Message? { if case .failed(let message) = self { message } else { nil } }
}

@MainActor @Suite(.bounded)
struct `The view of a remote image` {
    private let held = ControlledResponses<ImageRequest, EncodedImage>()
    private let one = ImageRequest(WebAddress(rawValue: "https://images.example/1"))
    private let two = ImageRequest(WebAddress(rawValue: "https://images.example/2"))
    private let image = EncodedImage.drawn(for: "1")
    private let other = EncodedImage.drawn(for: "2")
    private let notFound = BrowseError.notFound(.init(endpoint: "GET image"))

    private func model(_ images: (any ImageRepository)? = nil, texts: Texts = .english) -> RemoteImageViewModel {
        RemoteImageViewModel(images: images ?? InMemoryImageRepository(onCall: held.response), texts: texts)
    }

    @Test func `shows an image from the memory cache at once`() {
        let model = model(InMemoryImageRepository([one.address: image, two.address: other]))
        model.request = one
        #expect(model.state == .loaded(image))
        model.request = two
        #expect(model.state == .loaded(other))
        model.request = nil
        #expect(model.state == .idle)
    }

    @Test func `never shows the previous image or a late one`() async {
        let model = model()
        model.request = one
        await held.waitForRequests(1)
        held.answer(0, with: .success(image))
        await model.until { $0 == .loaded(image) }
        model.request = two
        // In the same turn, before anything is drawn.
        #expect(model.state == .loading)
        await held.waitForRequests(2)
        model.request = one
        await held.waitForRequests(3)
        // The load of the other image was canceled.
        #expect(!held.answer(1, with: .success(other)))
        held.answer(2, with: .success(image))
        #expect(await model.until { $0 != .loading } == .loaded(image))
    }

    @Test func `joins the load of the same image when it's shown`() async {
        let model = model()
        model.request = one
        await held.waitForRequests(1)
        // In the order of the main actor: both join before the answer.
        let tasks = [Task { await model.showIfNeeded(one) }, Task { await model.show(one) }]
        await Task {}.value
        held.answer(0, with: .success(image))
        held.answer(1, with: .success(other))
        for task in tasks { await task.value }
        #expect(model.state == .loaded(image))
        #expect(held.requests.count == 1)
    }

    @Test func `requests an image once if it's set repeatedly`() async {
        let model = model()
        for _ in 0..<3 { model.request = one }
        await held.waitForRequests(1)
        held.answer(0, with: .success(image))
        await model.until { $0 == .loaded(image) }
        model.request = one
        #expect(model.state == .loaded(image))
        #expect(held.requests.count == 1)
    }

    @Test func `reports a failed image, and loads it on retry`() async throws {
        let images = InMemoryImageRepository(onCall: held.response)
        let model = model(images)
        held.answer(0, with: .failure(notFound))
        held.answer(1, with: .success(image))
        await model.show(one)
        let message = try #require(model.state.failure)
        #expect(message.title == "No Image" && message.error == notFound)
        #expect(message.action == .retry)
        let recorder = StateRecorder(of: model)
        await model.retry()
        #expect(recorder.states == [.failed(message), .loading, .loaded(image)])
        #expect(images.invalidated == [one])
        // There is nothing more to try.
        await model.retry()
        #expect(held.requests.count == 2)
    }

    @Test func `loads an image that failed when it's set again`() async {
        let model = model()
        model.request = one
        await held.waitForRequests(1)
        held.answer(0, with: .failure(.unreachable(.offline, .init(endpoint: "GET image"))))
        await model.until { $0.failure != nil }
        model.request = one
        #expect(model.state == .loading)
        held.answer(1, with: .success(image))
        await model.until { $0 == .loaded(image) }
        model.request = one
        #expect(model.state == .loaded(image) && held.requests.count == 2)
    }

    @Test func `loads with its priority, which can change while it waits`() async {
        let priorities = Monitor<[LoadPriority]>([])
        let model = model(
            InMemoryImageRepository { [held] request throws(BrowseError) in
                let options = LoadOptions.current
                priorities.withLock { $0.append(options.currentPriority) }
                let image = try await held.response(to: request)
                priorities.withLock { $0.append(options.currentPriority) }
                return image
            }
        )
        model.priority = .prefetch
        model.request = one
        await held.waitForRequests(1)
        model.priority = .visible
        held.answer(0, with: .success(image))
        await model.until { $0 == .loaded(image) }
        #expect(priorities.value == [.prefetch, .visible])
        model.priority = .prefetch
        #expect(model.priority == .prefetch)
    }

    @Test func `shows an expired image until the load of the current one ends`() async {
        let images = InMemoryImageRepository(stored: [one.address: image], onCall: held.response)
        let model = model(images)
        let recorder = StateRecorder(of: model)
        model.request = one
        #expect(await model.until { $0 != .loading } == .loaded(image))
        await held.waitForRequests(1)
        held.answer(0, with: .success(other))
        #expect(await model.until { $0 != .loaded(image) } == .loaded(other))
        #expect(recorder.states == [.idle, .loading, .loaded(image), .loaded(other)])
    }

    @Test func `stays while it's reloaded, unless it doesn't exist anymore`() async {
        let images = InMemoryImageRepository(onCall: held.response)
        let model = model(images)
        // There is nothing to reload.
        await model.reload()
        #expect(model.state == .idle)
        held.answer(0, with: .success(image))
        held.answer(1, with: .success(other))
        held.answer(2, with: .failure(notFound))
        await model.show(one)
        let recorder = StateRecorder(of: model)
        await model.reload()
        #expect(recorder.states == [.loaded(image), .loaded(other)])
        await model.reload()
        #expect(model.state.failure != nil)
        #expect(images.invalidated == [one, one])
    }

    @Test func `stays if its reload is canceled`() async {
        let model = model()
        held.answer(0, with: .success(image))
        await model.show(one)
        let reload = Task { await model.reload() }
        await held.waitForRequests(2)
        reload.cancel()
        await reload.value
        #expect(model.state == .loaded(image))
        // It can be reloaded again.
        held.answer(2, with: .success(other))
        await model.reload()
        #expect(model.state == .loaded(other))
    }

    @Test func `names the time of the next attempt if the server limits requests`() async throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: date, isServerTime: true)
        let model = model(
            InMemoryImageRepository(onCall: { _ throws(BrowseError) in throw .rateLimited(limit, .sample) })
        )
        await model.show(one)
        let message = try #require(model.state.failure)
        #expect(message.kind == .rateLimited(until: date) && message.action == .retryLater(date))
        #expect(message.text.contains(/[0-9]:[0-9][0-9]/))
    }

    /// SDWebImage/SDWebImage#500
    @Test func `confirms an expired image when it appears again after a cancellation`() async {
        let model = model(InMemoryImageRepository(stored: [one.address: image], onCall: held.response))
        let appearance = Task { await model.showIfNeeded(one) }
        await held.waitForRequests(1)
        #expect(model.state == .loaded(image))
        appearance.cancel()
        await appearance.value
        held.answer(1, with: .success(other))
        await model.showIfNeeded(one)
        #expect(model.state == .loaded(other) && held.requests.count == 2)
    }

    @Test func `keeps an image that replaced the one that can't be decoded`() async {
        let images = InMemoryImageRepository([one.address: image, two.address: other])
        let model = model(images)
        model.request = one
        model.request = two
        await model.decodingFailed(of: image)
        #expect(model.state == .loaded(other) && images.discarded.isEmpty)
        await model.decodingFailed(of: other)
        #expect(model.state.failure != nil && images.discarded == [two])
    }

    @Test func `reports an image that can't be decoded, and requests it again on retry`() async throws {
        let images = InMemoryImageRepository(onCall: held.response)
        let model = model(images)
        // Nothing is loaded.
        await model.decodingFailed()
        #expect(model.state == .idle)
        held.answer(0, with: .success(image))
        held.answer(1, with: .success(other))
        await model.show(one)
        await model.decodingFailed()
        let message = try #require(model.state.failure)
        #expect(message.title == "No Image")
        #expect(message.action == .retry)
        #expect(images.discarded == [one])
        await model.retry()
        #expect(model.state == .loaded(other))
    }

    @Test(arguments: [
        (BrowseError.unreachable(.offline, .sample), Message.Kind.offline), (.timedOut(.sample), .timedOut),
        (.serverFailure(.sample), .serverFailure), (.unusableResponse(.empty, .sample), .notFound),
        (.refused(.invalidParameter, .sample), .notFound), (.forbidden(.sample), .notFound),
    ])
    func `has a helpful message for each error`(_ error: BrowseError, _ kind: Message.Kind) async throws {
        for texts in [Texts.english, .korean] {
            let model = model(InMemoryImageRepository(onCall: { _ throws(BrowseError) in throw error }), texts: texts)
            await model.show(one)
            let message = try #require(model.state.failure)
            #expect(message.kind == kind)
            #expect(message.action == .retry)
            // Pictures come from many places, most of them not GitHub's.
            #expect(!message.text.contains("GitHub") && !message.text.isEmpty)
        }
    }

    @Test func `cancels its load when it's released`() async throws {
        var model: RemoteImageViewModel? = model()
        model?.request = one
        await held.waitForRequests(1)
        weak let gone = model
        model = nil
        try await waitUntil { held.waitingCount == 0 }
        #expect(gone == nil)
        #expect(held.waitingCount == 0)
    }
}
