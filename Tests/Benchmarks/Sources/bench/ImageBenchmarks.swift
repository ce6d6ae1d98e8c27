@testable import BrowseData
import BrowseDomain
import BrowseMocks
@testable import BrowsePresentation
import Foundation
import Synchronization

/// The cost of cached images, and of fast scrolling through a list of images.
enum ImageBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark(name: "image-memory", rounds: 25, body: memory),
            Benchmark(name: "image-disk", rounds: 25, body: disk),
            Benchmark(name: "image-scroll", rounds: 5, body: scroll),
        ]
    }

    private static let requests = (0..<2000).map { number in
        ImageRequest(WebAddress(rawValue: "https://avatars.githubusercontent.com/u/\(number)?v=4"), side: 80)
    }

    /// Responds with an image of the given size.
    private struct Pictures: HTTPTransport {
        let bytes: Int

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            let picture = DrawnImage.png(for: request.url.path(), side: 20)
            let padding = Data(count: max(0, bytes - picture.count))
            return HTTPClient.Response(status: 200, body: picture + padding, url: request.url)
        }
    }

    private static func repository(bytes: Int, folder: URL?, limits: ImageLimits) -> RemoteImageRepository {
        RemoteImageRepository(transport: Pictures(bytes: bytes), folder: folder, limits: limits, userAgent: "bench")
    }

    @concurrent
    private static func memory(_ run: Run) async throws -> [Comparison] {
        let images: any ImageRepository = repository(bytes: 5000, folder: nil, limits: ImageLimits())
        let bare = Mutex<[String: Data]>([:])
        for request in requests {
            let image = try await images.image(for: request)
            bare.withLock { $0[request.address.rawValue] = image.data }
        }
        return [
            try await .measure(
                "image-memory: one of 10,000 hits from 8 tasks, median / dictionary under a lock",
                .wall,
                bound: .most(2e-6),
                rounds: run.rounds
            ) {
                try await medianOfHits { keep(try await images.image(for: $0)) }
            } bare: {
                try await medianOfHits { request in keep(bare.withLock { $0[request.address.rawValue] }) }
            }
        ]
    }

    /// The median time of 10,000 cache hits by 8 tasks.
    private static func medianOfHits(
        _ hit: @escaping @Sendable (ImageRequest) async throws -> Void
    ) async throws -> Double {
        let times = try await withThrowingTaskGroup(of: [Double].self) { group in
            for task in 0..<8 {
                group.addTask {
                    var times: [Double] = []
                    times.reserveCapacity(1250)
                    for number in 0..<1250 {
                        let request = requests[(number * 8 + task) * 37 % requests.count]
                        let start = ContinuousClock.now
                        try await hit(request)
                        times.append((ContinuousClock.now - start) / .seconds(1))
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return times.sorted()[times.count / 2]
    }

    @concurrent
    private static func disk(_ run: Run) async throws -> [Comparison] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        // No image fits into memory.
        let images = repository(bytes: 100_000, folder: folder, limits: ImageLimits { $0.memoryBytes = 0 })
        let count = 100
        for request in requests[..<count] { _ = try await images.image(for: request) }
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .flatMap { try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }
        guard files.count == count else { throw BenchFailure("\(files.count) of \(count) images are on disk") }
        return [
            try await .measure(
                "image-disk: 100 images of 100 KB / Data(contentsOf:)",
                .cpu,
                bound: .ratio(1.5),
                rounds: run.rounds
            ) {
                try await cpuSeconds {
                    for request in requests[..<count] { keep(try await images.image(for: request)) }
                }
            } bare: {
                try await cpuSeconds { for file in files { keep(try Data(contentsOf: file)) } }
            }
        ]
    }

    @MainActor
    private static func scroll(_ run: Run) async throws -> [Comparison] {
        [
            try await .measure(
                "image-scroll: past 2,000 rows, 10 on the screen / each loaded in turn",
                .wall,
                bound: nil,
                rounds: run.rounds
            ) {
                let images = repository(bytes: 5000, folder: nil, limits: ImageLimits { $0.memoryBytes = 1 << 20 })
                let prefetcher = ImagePrefetcher(images: images)
                let places = (0..<10).map { _ in RemoteImageViewModel(images: images, texts: Samples.texts) }
                return await wallSeconds {
                    for start in stride(from: 0, through: requests.count - 10, by: 5) {
                        for (place, position) in zip(places, start..<start + 10) { place.request = requests[position] }
                        prefetcher.prefetch(Array(requests[max(0, start - 20)..<min(requests.count, start + 30)]))
                        await Task.yield()
                    }
                    for place in places { for await state in place.states where state != .loading { break } }
                }
            } bare: {
                let images = Pictures(bytes: 5000)
                return try await wallSeconds {
                    for request in requests {
                        guard let url = request.address.url else { continue }
                        keep(try await images.send(HTTPClient.Request(url: url, endpoint: "bench")))
                    }
                }
            }
        ]
    }
}
