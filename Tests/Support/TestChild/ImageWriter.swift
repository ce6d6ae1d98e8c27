#if os(macOS) || os(Linux)
import BrowseData
import BrowseMocks
import BrowseDomain
import Foundation

/// Loads generated images into a folder, and prints each number when the call has returned.
struct ImageWriter {
    /// Responds with a GIF of the given size that contains the image's name in a comment.
    private struct Images: HTTPTransport {
        let bytes: Int

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            let name = request.url.lastPathComponent
            var image =
                Data("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x21, 0xFE, UInt8(name.utf8.count)] + Data(name.utf8)
            while image.count < bytes { image += [250] + Data(repeating: 65, count: 250) }
            return HTTPClient.Response(status: 200, body: image + [0, 0x3B], url: request.url)
        }
    }

    private let images: RemoteImageRepository
    private let numbers: Range<Int>

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        guard arguments.count == 6, numbers.count == 5 else { throw TestChild.WrongArguments() }
        self.numbers = numbers[0]..<numbers[0] + numbers[1]
        var limits = ImageLimits { ($0.memoryBytes, $0.diskBytes) = (0, numbers[3]) }
        limits.requests = 1
        images = RemoteImageRepository(
            transport: Images(bytes: numbers[2]),
            folder: URL(filePath: arguments[0], directoryHint: .isDirectory),
            limits: limits,
            userAgent: "TestChild",
            options: .init { $0.clock = ImmediateClock() }
        )
        if numbers[4] > 0 { Self.limitFiles(to: numbers[4]) }
    }

    /// Limits the size of files, so that writes fail as on a full disk.
    private static func limitFiles(to bytes: Int) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
        setrlimit(RLIMIT_FSIZE, &limit)
        #endif
    }

    func run() async throws {
        for number in numbers {
            let request = ImageRequest(WebAddress(rawValue: "https://images.example/\(number)"))
            _ = try await images.image(for: request)
            TestChild.write("\(number)")
        }
    }
}
#endif
