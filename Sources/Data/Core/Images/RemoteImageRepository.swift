public import BrowseDomain
public import Foundation
import Synchronization

/// Loads images from the web and caches them in memory and on disk.
///
/// Concurrent loads of one image share a request, which is canceled with the last of its callers. Requests send no cookies and no
/// token, and use http only on this device, if that's allowed. A response that doesn't begin like an image is refused, whatever
/// its content type.
///
/// If the disk is full or the folder isn't writable, images are cached in memory only.
public final class RemoteImageRepository: ImageRepository {
    private typealias Entry = ImageMemory.Entry

    private typealias Found = Loaded<EncodedImage>

    private let observed: ObservedTransport
    /// Counts each host as an account.
    private let gate: RateLimitGate
    private let redactor: SecretRedactor
    private let files: BlobFolder?
    /// The folder of all images, since they belong to no account.
    private let openGroup = Mutex<BlobGroup?>(nil)
    private let limits: ImageLimits
    private let sizes: [ImageSizes]
    private let userAgent: String
    private let allowsLoopback: Bool
    private let isOffline: Bool
    private let observers: [any HTTPObserver]
    private let now: @Sendable () -> Date
    let memory: ImageMemory
    private let warnings: MemoryWarnings
    private let failures = Mutex(LRUCache<ImageKey, Expiring<BrowseError>>(limit: 1000))
    private let loads = TaskCoalescer<ImageKey, Found>()
    /// Limits the number of requests in flight.
    let slots: RequestSlots

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - folder: The folder for images on disk; `nil` caches in memory only. It is created accessible only to its owner, and
    ///     shouldn't contain anything else. Several processes may share it.
    ///   - limits: The limits for memory, disk space, and requests.
    ///   - sizes: The servers that offer images in several sizes; others send the original one.
    ///   - userAgent: The `User-Agent` of the requests.
    ///   - allowsLoopback: Whether to allow http for images on this machine, for example from a server under development.
    ///   - isOffline: Whether to send no requests and use only cached images, however old.
    ///   - observers: Receive the events of every image that isn't in memory.
    ///   - redactor: Masks secrets in events and errors.
    ///   - notificationCenter: Posts the app's notifications of low memory; tests pass their own.
    ///   - now: The current date.
    ///   - clock: Measures the time until a server accepts requests again.
    public init(
        transport: any HTTPTransport,
        folder: URL?,
        limits: ImageLimits = ImageLimits(),
        sizes: [ImageSizes] = [],
        userAgent: String,
        allowsLoopback: Bool = false,
        isOffline: Bool = false,
        observers: [any HTTPObserver] = [],
        redactor: SecretRedactor = SecretRedactor(),
        notificationCenter: NotificationCenter = .default,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        observed = ObservedTransport(transport: transport, redactor: redactor)
        gate = RateLimitGate(now: now, clock: clock)
        self.redactor = redactor
        files = folder.map { folder in
            BlobFolder(folder, byteLimit: limits.diskBytes, now: now) { Self.removeOldVersion(in: folder) }
        }
        self.limits = limits
        self.sizes = sizes
        self.userAgent = userAgent
        self.allowsLoopback = allowsLoopback
        self.isOffline = isOffline
        self.observers = observers
        self.now = now
        memory = ImageMemory(limit: limits.memoryBytes)
        warnings = MemoryWarnings(from: notificationCenter) { [memory] in memory.release() }
        slots = RequestSlots(limits.requests)
    }

    /// Returns an image from memory, from disk, or from the server.
    ///
    /// - Throws: `.unusableResponse` if the response isn't an image, or is truncated or too large; `.refused` if the address
    ///   isn't allowed; `.cancelled` if the calling task is canceled; and the errors of requests. Later loads can throw the same
    ///   error without a request, unless it's `.cancelled`, for ``ImageLimits/failureLifetime``.
    public func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage {
        let key = ImageKey(request, sizes: sizes)
        let found =
            if let entry = fresh(key) {
                loaded(entry)
            } else {
                try await ExchangeTrace.perform(Self.info.endpoint, notifying: observers, now: now) {
                    () throws(BrowseError) -> Found in
                    do throws(BrowseError) { return try await find(key) } catch { throw redactor.error(error) }
                }
            }
        ProvenanceRecord.current?.note(found.provenance)
        return found.value
    }

    /// The image, if it is in memory and fresh.
    public func cachedImage(for request: ImageRequest) -> EncodedImage? {
        fresh(ImageKey(request, sizes: sizes))?.value
    }

    /// Lets the next load send a request, although the last one has just failed.
    public func forgetFailure(of request: ImageRequest) {
        failures.withLock { $0.remove(ImageKey(request, sizes: sizes)) }
    }

    /// Removes an image from memory and from disk, so that the next load sends a request.
    public func discard(_ request: ImageRequest) {
        let key = ImageKey(request, sizes: sizes)
        memory.remove(key)
        diskGroup(creates: false)?.remove(key.text)
    }

    /// Releases all images in memory; those on disk remain.
    ///
    /// On Apple platforms, this happens automatically under memory pressure, and when the app or the host of an app extension
    /// enters the background.
    public func releaseMemory() { memory.release() }
}

extension RemoteImageRepository {
    private func fresh(_ key: ImageKey) -> Entry? {
        guard let entry = memory[key], entry.isFresh(at: now()) else { return nil }
        return entry
    }

    private func loaded(_ entry: Entry) -> Found {
        Found(entry.value, isOffline || entry.isOffline ? .offline(since: entry.date) : .stale(since: entry.date))
    }

    private func failure(of key: ImageKey) -> BrowseError? {
        guard let failure = failures.withLock({ $0.value(for: key) }), failure.isFresh(at: now()) else { return nil }
        return failure.value
    }

    /// Returns an image from disk or from the server.
    @concurrent
    private func find(_ key: ImageKey) async throws(BrowseError) -> Found {
        let sendsNothing = isOffline || LoadOptions.current.source == .cacheOnly
        if !sendsNothing, let failure = failure(of: key) { throw failure }
        let old = cachedEntry(for: key)
        if let old, sendsNothing || old.isFresh(at: now()) {
            let found = loaded(old)
            ExchangeTrace.note(.cache(.answered(found.provenance)))
            return found
        }
        guard !sendsNothing else { throw .unreachable(.notCached, Self.info) }
        return try await loads.value(for: key, .current) {
            ExchangeTrace.note(.joined)
            slots.reconsider()
        } _: { priority throws(BrowseError) in
            var options = LoadOptions.current
            options.sharedPriority = priority
            return try await self.load(key, insteadOf: old, options)
        }
    }

    private func load(
        _ key: ImageKey,
        insteadOf old: Entry?,
        _ options: LoadOptions
    ) async throws(BrowseError) -> Found {
        // Another load may have ended since the lookup.
        if let entry = fresh(key) { return loaded(entry) }
        if let failure = failure(of: key) { throw failure }
        do throws(BrowseError) {
            return try await slots.withSlot(options) {
                ExchangeTrace.note(.waiting(.slot))
            } _: { () throws(BrowseError) in
                let image = try await fetched(key)
                let date = now()
                memory.insert(Entry(value: image, date: date, expiry: date + limits.lifetime.timeInterval), for: key)
                // Keeps its slot until the file is written, so that a slow disk doesn't fill the memory with images.
                _ = diskGroup(creates: true)?.write(Blob(date: date, body: image.data), key.text)
                return Found(image, .fresh)
            }
        } catch {
            guard error != .cancelled else { throw error }
            let date = now()
            let expiry = date + limits.failureLifetime.timeInterval
            // An expired image may be shown if the failure isn't about the image.
            guard let old, error.isPassing else {
                failures.withLock { $0.insert(Expiring(value: error, date: date, expiry: expiry), for: key, cost: 1) }
                throw error
            }
            let entry = Entry(value: old.value, date: min(old.date, date), expiry: expiry, isOffline: true)
            memory.insert(entry, for: key)
            return loaded(entry)
        }
    }

    /// The cached image, fresh or not; moves one on disk into memory.
    private func cachedEntry(for key: ImageKey) -> Entry? {
        if let entry = memory[key] { return entry }
        let text = key.text
        let limit = Blob.size(body: limits.request.bodyBytes, key: text)
        guard let file = diskGroup(creates: false)?.read(text, limit: limit),
            let header = try? ImageHeader(file.body)
        else { return nil }
        let image = EncodedImage(data: file.body, format: header.format, size: header.size)
        let entry = Entry(value: image, date: file.date, expiry: file.date + limits.lifetime.timeInterval)
        memory.insert(entry, for: key)
        return entry
    }

    /// The folder of images, which stays open; after it was deleted, the next image creates it.
    private func diskGroup(creates: Bool) -> BlobGroup? {
        if let open = openGroup.withLock(\.self), !creates || open.isCurrent { return open }
        let group = files?.group(of: "images", creates: creates)
        openGroup.withLock { $0 = group }
        return group
    }

    /// Deletes the files of versions that stored each image in the folder itself.
    private static func removeOldVersion(in folder: URL) {
        let lock = StorageFile(folder: folder, name: "images-lock")
        lock.remove()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        where name.hasSuffix(".image") || name.hasSuffix(".new") { lock.neighbor(name).remove() }
    }

    /// Requests an image from the server.
    private func fetched(_ key: ImageKey) async throws(BrowseError) -> EncodedImage {
        guard let url = key.url(allowsLoopback: allowsLoopback) else { throw .refused(.invalidParameter, Self.info) }
        var request = HTTPRequest(
            url: url,
            headers: [
                "Accept": "image/png, image/jpeg, image/gif, image/webp, image/heic", "User-Agent": userAgent,
                // Images are compressed already, and a decompressed body could exceed the limit.
                "Accept-Encoding": "identity",
            ],
            endpoint: Self.info.endpoint,
            limits: limits.request,
            bucket: RateLimitStatus.core
        )
        request.account = url.host()
        let response = try await gate.send(request) { [observed] request throws(BrowseError) in
            try await observed.send(request)
        }
        return try EncodedImage(response, pixelLimit: limits.pixels, now: now())
    }

    fileprivate static var info: BrowseError.RequestInfo { BrowseError.RequestInfo(endpoint: "GET image") }
}

extension EncodedImage {
    /// Creates an image from a response.
    fileprivate init(_ response: HTTPResponse, pixelLimit: Int, now: Date) throws(BrowseError) {
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
                let type = Excerpt.masking(response.headers["Content-Type"] ?? "", limit: Excerpt.contentTypeLimit)
                throw .unusableResponse(.contentType(type), info)
            case .cutOff:
                let reason = "The image is truncated."
                throw .unusableResponse(.decoding(.init(codingPath: "", reason: reason, excerpt: "")), info)
            }
        }
        if let size, size.width > pixelLimit / max(1, size.height) {
            throw .unusableResponse(.tooManyPixels(limit: pixelLimit), info)
        }
    }
}
