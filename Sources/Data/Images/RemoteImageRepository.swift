public import BrowseDomain
public import Foundation
import Synchronization

/// Pictures from the web, kept in memory and on the disk.
///
/// Loads of one picture share one request. Who is canceled leaves alone; when the last one has gone, the request is
/// canceled too. No cookie and no token is ever sent, nothing goes by http, and what begins like no picture does is refused,
/// whatever the server calls it.
///
/// A disk that is full, or a folder that cannot be written, is no failure: pictures are loaded then and kept in memory.
public final class RemoteImageRepository: ImageRepository {
    private typealias Kept = ImageMemory.Kept

    private typealias Found = Loaded<EncodedImage>

    private struct Failure {
        let error: BrowseError
        let date: Date
        let expiry: Date

        /// Whether it is told again without asking; see ``ImageMemory/Kept``.
        func isFresh(at now: Date) -> Bool { date <= now && expiry > now }
    }

    private let observed: ObservedTransport
    private let redactor: SecretRedactor
    private let folder: ImageFolder?
    private let limits: ImageLimits
    private let userAgent: String
    private let allowsLoopback: Bool
    private let isOffline: Bool
    private let observers: [any HTTPObserver]
    private let now: @Sendable () -> Date
    /// What is in memory.
    let memory: ImageMemory
    private let warnings: MemoryWarnings
    private let failures = Mutex(LRUCache<ImageKey, Failure>(limit: 1000))
    private let loads = TaskCoalescer<ImageKey, Found>()
    /// Where requests wait for their turn.
    let queue: RequestQueue<RequestSlots>

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - transport: What carries requests.
    ///   - folder: Where pictures are kept; `nil` keeps them in memory only. It is made for its owner alone, and should have
    ///     nothing else in it. Several processes may use one.
    ///   - limits: What pictures may cost.
    ///   - userAgent: What the app calls itself.
    ///   - allowsLoopback: Whether pictures may come from this computer by http, as in tests and beside a server of one's own.
    ///   - isOffline: Whether nothing is ever sent: pictures are those that are kept, however old.
    ///   - observers: Who hears of every picture that is not in memory.
    ///   - redactor: Masks secrets in events and errors.
    ///   - notificationCenter: Posts the app's notifications, at some of which memory is released; for tests.
    ///   - now: The current time.
    public init(
        transport: any HTTPTransport,
        folder: URL?,
        limits: ImageLimits = ImageLimits(),
        userAgent: String,
        allowsLoopback: Bool = false,
        isOffline: Bool = false,
        observers: [any HTTPObserver] = [],
        redactor: SecretRedactor = SecretRedactor(),
        notificationCenter: NotificationCenter = .default,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        observed = ObservedTransport(transport: transport, redactor: redactor)
        self.redactor = redactor
        let usesDisk = limits.diskBytes > 0
        self.folder = usesDisk ? folder.map { ImageFolder($0, limit: limits.diskBytes, now: now) } : nil
        self.limits = limits
        self.userAgent = userAgent
        self.allowsLoopback = allowsLoopback
        self.isOffline = isOffline
        self.observers = ObserverBuffer.buffering(observers)
        self.now = now
        memory = ImageMemory(limit: limits.memoryBytes)
        warnings = MemoryWarnings(from: notificationCenter) { [memory] in memory.release() }
        queue = RequestQueue(limit: limits.requests)
    }

    /// A picture: from memory, from the disk, or from the server.
    ///
    /// - Throws: `.unusableResponse` when what is there is no picture, is cut off or too large; `.refused` when the address is
    ///   not one that may be asked; `.cancelled` when the calling task is cancelled; or why it did not come. A failure other
    ///   than that is told again for ``ImageLimits/failureLife`` without asking.
    public func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage {
        let key = ImageKey(request)
        let found =
            if let kept = fresh(key) {
                Found(kept.image, .stale(since: kept.date))
            } else {
                try await ExchangeTrace.perform(Self.info.endpoint, notifying: observers, now: now) {
                    () throws(BrowseError) -> Found in
                    do throws(BrowseError) { return try await find(key) } catch { throw redactor.error(error) }
                }
            }
        ProvenanceRecord.current?.note(found.provenance)
        return found.value
    }

    /// The picture when it is in memory, and not too old.
    public func cachedImage(for request: ImageRequest) -> EncodedImage? {
        fresh(ImageKey(request))?.image
    }

    /// Has the next load ask for the picture again, although the last one has just failed.
    public func forgetFailure(of request: ImageRequest) {
        failures.withLock { $0.remove(ImageKey(request)) }
    }

    /// Releases every image in memory; those on the disk stay.
    ///
    /// On Apple platforms the repository does so itself under memory pressure, and when the app or the host of an app extension
    /// enters the background.
    public func releaseMemory() {
        memory.release()
    }
}

extension RemoteImageRepository {
    private func fresh(_ key: ImageKey) -> Kept? {
        guard let kept = memory[key], kept.isFresh(at: now()) else { return nil }
        return kept
    }

    /// Why the picture did not come a moment ago.
    private func failure(of key: ImageKey) -> BrowseError? {
        guard let failure = failures.withLock({ $0.value(for: key) }), failure.isFresh(at: now()) else { return nil }
        return failure.error
    }

    /// The picture from the disk or the server, or why it is not there.
    @concurrent
    private func find(_ key: ImageKey) async throws(BrowseError) -> Found {
        let sendsNothing = isOffline || LoadOptions.current.source == .cacheOnly
        if !sendsNothing, let failure = failure(of: key) { throw failure }
        let old = old(key)
        if let old, sendsNothing || old.isFresh(at: now()) {
            ExchangeTrace.note(.cache(.answered(.stale(since: old.date))))
            return Found(old.image, .stale(since: old.date))
        }
        guard !sendsNothing else { throw .unreachable(.notCached, Self.info) }
        return try await loads.value(for: key, priority: LoadOptions.current.priority) {
            ExchangeTrace.note(.joined)
        } _: { () throws(BrowseError) in
            try await self.load(key, insteadOf: old)
        }
    }

    private func load(_ key: ImageKey, insteadOf old: Kept?) async throws(BrowseError) -> Found {
        // A load may have ended since its picture was looked for.
        if let kept = fresh(key) { return Found(kept.image, .stale(since: kept.date)) }
        if let failure = failure(of: key) { throw failure }
        do throws(BrowseError) {
            return try await queue.withSlot(.current(or: LoadOptions.current.priority), for: Self.info) {
                ExchangeTrace.note(.waiting(.slot))
            } _: { () throws(BrowseError) in
                let image = try await fetched(key)
                let date = now()
                memory.keep(Kept(image: image, date: date, expiry: date + limits.life.timeInterval), for: key)
                // Keeps its slot until the file is written, so that a slow disk doesn't fill the memory with images.
                try? await folder?.store(ImageFile(data: image.data, date: date), named: key.fileName)
                return Found(image, .fresh)
            }
        } catch {
            guard error != .cancelled else { throw error }
            let date = now()
            let expiry = date + limits.failureLife.timeInterval
            guard let old, error.leavesOldPicture else {
                failures.withLock { $0.insert(Failure(error: error, date: date, expiry: expiry), for: key, cost: 1) }
                throw error
            }
            memory.keep(Kept(image: old.image, date: min(old.date, date), expiry: expiry), for: key)
            return Found(old.image, .offline(since: old.date))
        }
    }

    /// The picture in memory or on the disk, however old; it is in memory then.
    private func old(_ key: ImageKey) -> Kept? {
        if let kept = memory[key] { return kept }
        guard let file = folder?.image(named: key.fileName, limit: limits.request.bodyBytes),
            let header = try? ImageHeader(file.data)
        else { return nil }
        let image = EncodedImage(data: file.data, format: header.format, size: header.size)
        let kept = Kept(image: image, date: file.date, expiry: file.date + limits.life.timeInterval)
        memory.keep(kept, for: key)
        return kept
    }

    /// The picture from the server.
    private func fetched(_ key: ImageKey) async throws(BrowseError) -> EncodedImage {
        guard let url = key.url(allowsLoopback: allowsLoopback) else { throw .refused(.invalidParameter, Self.info) }
        let request = HTTPRequest(
            url: url,
            headers: [
                "Accept": "image/png, image/jpeg, image/gif, image/webp, image/heic", "User-Agent": userAgent,
                // Pictures are small already, and nothing that unpacks to more than the limit is wanted.
                "Accept-Encoding": "identity",
            ],
            endpoint: Self.info.endpoint,
            limits: limits.request
        )
        return try EncodedImage(try await observed.send(request), now: now())
    }

    fileprivate static var info: BrowseError.RequestInfo { BrowseError.RequestInfo(endpoint: "GET image") }
}

extension BrowseError {
    /// Whether the failure says nothing about the picture, so that an old one may be shown.
    fileprivate var leavesOldPicture: Bool {
        switch self {
        case .unreachable, .timedOut, .rateLimited, .serverFailure: true
        default: false
        }
    }
}

extension EncodedImage {
    /// Takes a response that is a picture.
    fileprivate init(_ response: HTTPResponse, now: Date) throws(BrowseError) {
        var info = RemoteImageRepository.info
        info.status = response.status
        guard response.status != 429 else {
            throw .rateLimited(BrowseError.RateLimit(response.headers, now: now), info)
        }
        guard (200..<300).contains(response.status) else { throw BrowseError(status: response.status, info: info) }
        guard !response.body.isEmpty else { throw .unusableResponse(.empty, info) }
        do throws(ImageHeader.Problem) {
            let header = try ImageHeader(response.body)
            self.init(data: response.body, format: header.format, size: header.size)
        } catch {
            switch error {
            case .unknownFormat:
                let type = Excerpt.masking(response.headers["Content-Type"] ?? "", limit: 100)
                throw .unusableResponse(.contentType(type), info)
            case .cutOff:
                let failure = BrowseError.DecodingFailure(
                    codingPath: "",
                    reason: "The picture is cut off.",
                    excerpt: ""
                )
                throw .unusableResponse(.decoding(failure), info)
            }
        }
    }
}
