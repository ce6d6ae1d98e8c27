import BrowseAppStoreDomain
import BrowseAppStorePresentation
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@MainActor @Suite(.bounded)
struct `The image prefetcher` {
    private let held = ControlledResponses<ImageRequest, EncodedImage>()

    private static func request(_ number: Int) -> ImageRequest {
        ImageRequest(WebAddress(rawValue: "https://images.example/\(number)"), side: 50)
    }

    private func requests(_ numbers: some Sequence<Int>) -> [ImageRequest] { numbers.map(Self.request) }

    /// Waits until so many loads are under way.
    private func wait(for count: Int) async throws {
        try await waitUntil { held.waitingCount == count }
    }

    @Test func `starts with the lowest priority, and loads each image once`() async throws {
        let priorities = Mutex<Set<LoadPriority>>([])
        let images = InMemoryImageRepository(onCall: { [held] request throws(BrowseError) in
            priorities.withLock { _ = $0.insert(LoadOptions.current.priority) }
            return try await held.response(to: request)
        })
        let prefetcher = ImagePrefetcher(images: images)
        for _ in 0..<3 { prefetcher.prefetch(requests(0..<5)) }
        await held.waitForRequests(5)
        #expect(Set(held.requests) == Set(requests(0..<5)))
        #expect(priorities.withLock { $0 } == [.prefetch])
    }

    @Test func `cancels images that aren't near any more, and continues with the others`() async throws {
        let prefetcher = ImagePrefetcher(images: InMemoryImageRepository(onCall: held.response))
        prefetcher.prefetch(requests(0..<10))
        await held.waitForRequests(10)
        prefetcher.prefetch(requests(5..<15))
        await held.waitForRequests(15)
        try await wait(for: 10)
        #expect(Set(held.requests) == Set(requests(0..<15)))
        // Which of them comes first is not certain.
        for (index, request) in held.requests.enumerated() where request != requests(14..<15)[0] {
            let isNear = requests(5..<14).contains(request)
            #expect(held.answer(index, with: .success(.drawn(for: ""))) == isNear)
        }
        prefetcher.prefetch([])
        try await wait(for: 0)
    }

    @Test func `never requests an image that was passed before its load started`() async throws {
        let prefetcher = ImagePrefetcher(images: InMemoryImageRepository(onCall: held.response))
        for start in 0..<100 { prefetcher.prefetch(requests(start * 10..<start * 10 + 10)) }
        await held.waitForRequests(10)
        #expect(Set(held.requests) == Set(requests(990..<1000)))
    }

    @Test func `loads an image again that failed or was evicted, but not one in memory`() async throws {
        let endCount = Monitor(0)
        let images = InMemoryImageRepository(onCall: held.response)
        let prefetcher = ImagePrefetcher(images: images)
        let one = requests([1])
        func prefetch() {
            LoadEnd.$current.withValue(LoadEnd { endCount.withLock { $0 += 1 } }) { prefetcher.prefetch(one) }
        }
        prefetch()
        await held.waitForRequests(1)
        held.answer(0, with: .failure(.timedOut(.sample)))
        await endCount.wait { $0 == 1 }
        prefetch()
        held.answer(1, with: .success(.drawn(for: "")))
        await endCount.wait { $0 == 2 }
        #expect(held.requests.count == 2)
        images.images = [one[0].address: .drawn(for: "")]
        prefetch()
        #expect(endCount.value == 3, "No load has begun.")
        images.images = [:]
        held.answer(2, with: .success(.drawn(for: "")))
        prefetch()
        await endCount.wait { $0 == 4 }
        #expect(held.requests.count == 3)
    }

    @Test func `ends with its owner`() async throws {
        var prefetcher: ImagePrefetcher? = ImagePrefetcher(images: InMemoryImageRepository(onCall: held.response))
        prefetcher?.prefetch(requests(0..<3))
        await held.waitForRequests(3)
        prefetcher = nil
        try await wait(for: 0)
    }

    @Test(arguments: 0..<4)
    func `loads exactly the images near the visible rows, wherever the list scrolls`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let underWay = Monitor<[ImageRequest: Int]>([:])
        let images = InMemoryImageRepository(onCall: { [held] request throws(BrowseError) in
            underWay.withLock { $0[request, default: 0] += 1 }
            defer { underWay.withLock { $0[request] = $0[request] == 1 ? nil : 1 } }
            return try await held.response(to: request)
        })
        let prefetcher = ImagePrefetcher(images: images)
        for _ in 0..<50 {
            let start = Int.random(in: 0..<30, using: &random)
            let near = start..<start + Int.random(in: 0..<10, using: &random)
            let expected = Dictionary(uniqueKeysWithValues: requests(near).map { ($0, 1) })
            prefetcher.prefetch(requests(near))
            try await waitUntil { underWay.value == expected }
        }
    }
}

/// Reports the end of the last task that inherited it as a task-local value.
private final class LoadEnd: Sendable {
    @TaskLocal static var current: LoadEnd?

    private let didEnd: @Sendable () -> Void

    init(didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }

    deinit { didEnd() }
}

@Suite(.bounded) struct `The pictures near what is visible` {
    private func rows(_ count: Int) -> Rows<UserRow> {
        Rows(
            (0..<count).map { number in
                let avatar = number == 5 ? nil : WebAddress(rawValue: "https://images.example/\(number)")
                return UserRow(
                    GitHub.User(id: .init(rawValue: Int64(number)), login: .init("user-\(number)"), avatar: avatar)
                )
            }
        )
    }

    private func numbers(_ requests: [ImageRequest]) -> [Int] {
        requests.compactMap { $0.address.rawValue.split(separator: "/").last.flatMap { Int($0) } }
    }

    @Test func `are ordered: visible rows, rows after them, rows before them, the nearest first`() {
        let rows = rows(100)
        #expect(numbers(rows.images(around: 10..<13, distance: 3)) == [10, 11, 12, 13, 14, 15, 9, 8, 7])
        #expect(rows.images(around: 10..<11, distance: 0, side: 80).map(\.side) == [80])
    }

    @Test func `stay within the list, and omit rows without an image`() {
        let rows = rows(10)
        #expect(numbers(rows.images(around: 0..<2, distance: 2)) == [0, 1, 2, 3])
        #expect(numbers(rows.images(around: 4..<6, distance: 1)) == [4, 6, 3])
        #expect(numbers(rows.images(around: 8..<20, distance: 2)) == [8, 9, 7, 6])
        #expect(numbers(rows.images(around: 50..<60, distance: 2)) == [9, 8])
        #expect(numbers(rows.images(around: 3..<3, distance: -1)) == [])
        #expect(self.rows(0).images(around: 0..<5).isEmpty)
    }

    @Test func `exist for every kind of row`() {
        let picture = WebAddress(rawValue: "https://images.example/1")
        let user = GitHub.User(id: .init(rawValue: 1), login: .mona, avatar: picture)
        let repo = GitHub.Repo(id: .init(rawValue: 1), name: "r", fullName: "mona/r") { $0.owner = user }
        let character = RickAndMorty.Character(id: .init(rawValue: 1), name: "C") { $0.image = picture }
        let app = AppStore.App(id: .init(1), name: "A") { $0.icon = .init(medium: picture) }
        let requests =
            Rows([CharacterRow(character, texts: .english)]).images(around: 0..<1)
            + Rows([AppRow(app, texts: .english)]).images(around: 0..<1)
        #expect(requests == [ImageRequest(picture), ImageRequest(picture)])
        #expect(
            [Favorite.user(user), .repo(repo), .character(character), .app(app)].allSatisfy { $0.image == picture }
        )
    }
}
