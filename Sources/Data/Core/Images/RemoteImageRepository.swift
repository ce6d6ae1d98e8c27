package import BrowseDomain
package import Foundation
import Synchronization

/// Loads images from the web and caches them in memory and on disk.
///
/// Concurrent loads of one image share a request, which is canceled with the last of its callers.
/// Requests send no cookies and no token, and use http only on this device, if that's allowed. A
/// response that doesn't begin like an image is refused, whatever its content type. Expired images
/// are requested with their `ETag`, so that an unchanged one isn't sent again.
///
/// If the disk is full or the folder isn't writable, images are cached in memory only.
package final class RemoteImageRepository: ImageRepository {
    private let observed: ObservedTransport
    /// Counts each host as an account.
    private let gate: RateLimitGate
    let files: BlobFolder?
    private let limits: ImageLimits
    private let sizes: [ImageSizes]
    private let userAgent: String
    private let allowsLoopback: Bool
    private let options: HTTPClient.Options
    /// The most recently used images, by the size of their files in bytes.
    let memory: Mutex<LRUCache<ImageKey, CachedImage>>
    private let failures = Mutex(LRUCache<ImageKey, (error: BrowseError, date: Date, url: URL?)>(limit: 1000))
    /// By the text of the key, and the address, which has a signature of its own.
    private let loads = TaskCoalescer<[String], Loaded<EncodedImage>>()
    /// Limit the number of requests in flight to each of the latest hosts.
    private let slots = Mutex(LRUCache<String?, RequestSlots>(limit: 100))

    /// - Parameters:
    ///   - folder: The folder for images on disk, which contains nothing else; `nil` caches in
    ///     memory only.
    ///   - allowsLoopback: Whether to allow http for images on this machine, for example from a
    ///     server under development.
    ///   - options: The observers of every image that isn't in memory, the clock, and whether to
    ///     send nothing.
    package init(
        transport: any HTTPTransport,
        folder: URL?,
        limits: ImageLimits = ImageLimits(),
        sizes: [ImageSizes] = [],
        userAgent: String,
        allowsLoopback: Bool = false,
        options: HTTPClient.Options = HTTPClient.Options()
    ) {
        observed = ObservedTransport(transport: transport)
        gate = RateLimitGate(now: options.now, clock: options.clock)
        files = folder.map { BlobFolder($0, byteLimit: limits.diskBytes, now: options.now, clock: options.clock) }
        self.limits = limits
        self.sizes = sizes
        self.userAgent = userAgent
        self.allowsLoopback = allowsLoopback
        self.options = options
        memory = Mutex(LRUCache(limit: limits.memoryBytes))
    }

    package func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage {
        let key = ImageKey(request, sizes: sizes)
        let found =
            if let cached = fresh(remembered(key)) {
                loaded(cached)
            } else {
                try await ExchangeTrace.perform(Self.info.endpoint, notifying: options.observers, now: options.now) {
                    () throws(BrowseError) in try await find(request, key)
                }
            }
        ProvenanceRecord.current?.note(found.provenance)
        return found.value
    }

    package func cachedImage(for request: ImageRequest) -> EncodedImage? {
        fresh(remembered(ImageKey(request, sizes: sizes)))?.image
    }

    @concurrent
    package func storedImage(for request: ImageRequest) async -> EncodedImage? {
        await cached(ImageKey(request, sizes: sizes))?.image
    }

    @concurrent
    package func invalidate(_ request: ImageRequest) async {
        let key = ImageKey(request, sizes: sizes)
        failures.withLock { $0.remove(key) }
        if let image = await cached(key) {
            remember(modified(image) { $0.isInvalid = true }, key)
        }
        // A file that doesn't fit into memory, or can't be read now, can't be marked.
        if remembered(key) == nil { await remove(key) }
    }

    package func discard(_ request: ImageRequest) async {
        let key = ImageKey(request, sizes: sizes)
        let url = request.url(sizes: sizes, allowsLoopback: allowsLoopback)
        let problem = BrowseError.DecodingFailure(codingPath: "", reason: "not an image that can be decoded")
        let error = BrowseError.unusableResponse(.decoding(problem), Self.info)
        failures.withLock { $0.insert((error, options.now(), url), for: key, cost: 1) }
        await remove(key)
    }

    package func releaseMemory() { memory.withLock { $0.removeAll() } }

    package func byteCount() async -> Int? {
        guard let files else { return 0 }
        return await files.run(within: .seconds(10)) { $0.byteCount() }
    }

    package func removeAll() async {
        await files?.run(storing: 0) { $0.erase() }
        releaseMemory()
    }

    /// An image with the date and version of the server's response.
    struct CachedImage: Sendable {
        let image: EncodedImage
        /// The time at which the server last sent or confirmed the image.
        let date: Date
        /// The server's `ETag`; `nil` without one.
        let tag: String?
        /// Whether the server must be asked, however new the image is.
        var isInvalid = false
        /// Whether the server allows a file of the image (RFC 9111, section 5.2.2.5).
        var isStorable = true

        fileprivate var bytes: Int { image.data.count + (tag?.utf8.count ?? 0) }
    }
}

extension RemoteImageRepository {
    /// Whether a date is within a lifetime; one in the future, from a wrong clock, isn't.
    private func isCurrent(_ date: Date, for lifetime: Duration) -> Bool {
        let now = options.now()
        return date <= now && now < date + lifetime / .seconds(1)
    }

    /// The image, if the server needn't be asked.
    private func fresh(_ image: CachedImage?) -> CachedImage? {
        guard let image, !image.isInvalid, isCurrent(image.date, for: limits.lifetime) else { return nil }
        return image
    }

    /// The image in memory, fresh or not; reading records its use.
    private func remembered(_ key: ImageKey) -> CachedImage? { memory.withLock { $0.value(for: key) } }

    private func remember(_ image: CachedImage, _ key: ImageKey) {
        memory.withLock { $0.insert(image, for: key, cost: image.bytes) }
    }

    private func loaded(_ image: CachedImage) -> Loaded<EncodedImage> {
        Loaded(image.image, options.isOffline ? .offline(since: image.date) : .stale(since: image.date))
    }

    /// The slots of a host.
    func slots(of host: String?) -> RequestSlots {
        slots.withLock { all in
            if let slots = all.value(for: host) { return slots }
            let slots = RequestSlots(limits.requests)
            all.insert(slots, for: host, cost: 1)
            return slots
        }
    }

    /// Returns an image from disk or from the server.
    @concurrent
    private func find(_ request: ImageRequest, _ key: ImageKey) async throws(BrowseError) -> Loaded<EncodedImage> {
        let sendsNothing = options.isOffline || LoadOptions.current.source == .cacheOnly
        let old = await cached(key, within: sendsNothing ? limits.request.duration : nil)
        if let cached = sendsNothing ? old : fresh(old) {
            let found = loaded(cached)
            ExchangeTrace.note(.cache(.answered(found.provenance)))
            return found
        }
        guard !sendsNothing else { throw .unreachable(.notCached, Self.info) }
        guard let url = request.url(sizes: sizes, allowsLoopback: allowsLoopback) else {
            throw .refused(.invalidParameter, Self.info)
        }
        do throws(BrowseError) {
            return try await loads.value(for: [key.text, url.absoluteString], .current) {
                ExchangeTrace.note(.joined)
                slots(of: url.host()).reconsider()
            } _: { priority throws(BrowseError) in
                let loadOptions = modified(LoadOptions.current) { $0.sharedPriority = priority }
                return try await self.load(key, from: url, insteadOf: old, loadOptions)
            }
        } catch {
            // An expired image stays until the server sends another, or has none.
            guard let old, error != .cancelled, !error.isNotFound else { throw error }
            return Loaded(old.image, .offline(since: min(old.date, options.now())))
        }
    }

    private func load(
        _ key: ImageKey,
        from url: URL,
        insteadOf old: CachedImage?,
        _ loadOptions: LoadOptions
    ) async throws(BrowseError) -> Loaded<EncodedImage> {
        // Another load may have ended since the lookup.
        if let image = fresh(remembered(key)) { return loaded(image) }
        let failure = failures.withLock { $0.value(for: key) }
        // A key's other address has another signature.
        if let failure, failure.url == url, isCurrent(failure.date, for: limits.failureLifetime) { throw failure.error }
        do throws(BrowseError) {
            let found = try await fetched(url, insteadOf: old, loadOptions)
            let new = found.value
            remember(new, key)
            if new.isStorable {
                let blob = Blob(date: new.date, head: Data((new.tag ?? "").utf8), body: new.image.data)
                await files?.run(storing: new.image.data.count) { [text = key.text] files in
                    files.images(creates: true).flatMap { files.write(blob, text, in: $0) }
                }
            }
            return Loaded(new.image, found.provenance)
        } catch {
            switch error {
            // The next load may have a connection, and the gate counts the limits.
            case .cancelled, .unreachable, .timedOut, .rateLimited: break
            case .serverFailure(let info) where info.retryAt != nil: break
            default: failures.withLock { $0.insert((error, options.now(), url), for: key, cost: 1) }
            }
            // Another address of the same key can have loaded the image meanwhile.
            if error.isNotFound, fresh(remembered(key)) == nil { await remove(key) }
            throw error
        }
    }

    /// The image in memory or on disk, fresh or not; moves one on disk into memory.
    ///
    /// - Parameter limit: The longest wait for the disk; `nil` if the server can be asked.
    private func cached(_ key: ImageKey, within limit: Duration? = nil) async -> CachedImage? {
        if let image = remembered(key) { return image }
        let text = key.text
        let byteLimit = Blob.size(body: limits.request.bodyBytes, head: 1 << 16, key: text)
        let file = await files?.run(within: limit) { files in
            files.images(creates: false).flatMap { files.read(text, in: $0, limit: byteLimit) }
        }
        guard let file, let image = EncodedImage(file: file.body) else { return nil }
        let tag = file.head.isEmpty ? nil : String(decoding: file.head, as: UTF8.self)
        let cached = CachedImage(image: image, date: file.date, tag: tag)
        remember(cached, key)
        return cached
    }

    private func remove(_ key: ImageKey) async {
        memory.withLock { $0.remove(key) }
        await files?.run(storing: 0) { [text = key.text] files in
            files.images(creates: false).map { files.remove(text, in: $0) }
        }
    }

    /// Requests an image from the server.
    private func fetched(
        _ url: URL,
        insteadOf old: CachedImage?,
        _ loadOptions: LoadOptions
    ) async throws(BrowseError) -> Loaded<CachedImage> {
        var request = HTTPClient.Request(
            url: url,
            headers: [
                "Accept": "image/png, image/jpeg, image/gif, image/webp, image/heic, */*;q=0.5",
                "User-Agent": userAgent,
                // Images are compressed already, and a decompressed body could exceed the limit.
                "Accept-Encoding": "identity",
            ],
            endpoint: Self.info.endpoint,
            limits: limits.request,
            options: loadOptions,
            bucket: RateLimitStatus.core
        )
        request.account = url.host()
        let validators = Validators(etag: old?.tag)
        let (response, isConfirmed) = try await validators.send(request) {
            [slots = slots(of: url.host()), gate, observed, options] request throws(BrowseError) in
            try await slots.send(request) { request throws(BrowseError) in
                try await gate.send(request) { request throws(BrowseError) in
                    do throws(BrowseError) {
                        return try await observed.send(request)
                    } catch .unreachable(.connectionLost, _) where options.retries != .never {
                        // An idle connection, or before the request arrived.
                        return try await observed.send(request)
                    }
                }
            }
        }
        if isConfirmed, let old {
            let confirmed = CachedImage(image: old.image, date: options.now(), tag: old.tag, isStorable: old.isStorable)
            return Loaded(confirmed, .revalidated)
        }
        let image = try EncodedImage(response, pixelLimit: limits.pixels, now: options.now())
        // A tag tells versions of one address apart.
        let tag = response.url == url ? response.headers["ETag"] : nil
        let isStorable = !response.headers.forbidsStoring
        return Loaded(CachedImage(image: image, date: options.now(), tag: tag, isStorable: isStorable), .fresh)
    }

    fileprivate static var info: BrowseError.RequestInfo { BrowseError.RequestInfo(endpoint: "GET image") }
}

extension BlobFolder {
    /// The folder of all images, since they belong to no account.
    fileprivate func images(creates: Bool) -> BlobGroup? { group(of: "images", creates: creates) }
}

extension EncodedImage {
    /// Recognizes an image file by its first bytes; `nil` if it isn't one.
    init?(file data: Data) {
        guard let header = data.withUnsafeBytes({ ImageHeader(ImageBytes(bytes: $0)) }) else { return nil }
        self.init(data: data, format: header.format, size: header.size)
    }

    /// Creates an image from a response.
    fileprivate init(_ response: HTTPClient.Response, pixelLimit: Int, now: Date) throws(BrowseError) {
        var info = RemoteImageRepository.info
        info.status = response.status
        // A network's (RFC 9110, section 15.5.8; RFC 6585, section 6).
        guard ![407, 511].contains(response.status) else { throw .unreachable(.intercepted, info) }
        guard (200..<300).contains(response.status), response.status != 206 else {
            info.retryAt = response.status < 500 ? nil : RetryAfter.date(response.headers, now: now)
            throw BrowseError(response, info: info, now: now)
        }
        guard !response.body.isEmpty else { throw .unusableResponse(.empty, info) }
        guard let image = EncodedImage(file: response.body) else {
            throw .unusableResponse(.contentType(response.shownType), info)
        }
        if let size = image.size, size.width > pixelLimit / max(1, size.height) {
            throw .unusableResponse(.tooManyPixels(limit: pixelLimit), info)
        }
        self = image
    }
}
