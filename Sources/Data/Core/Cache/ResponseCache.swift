import BrowseDomain
public import Foundation
import Synchronization

/// Stores responses in files, with a folder for each account of a service.
///
/// The least recently used responses are evicted. Damaged files are ignored, and if the disk is
/// full or the folder isn't writable, nothing is stored. Several processes may use one folder.
public final class ResponseCache: Sendable {
    let blobs: BlobFolder
    fileprivate let now: @Sendable () -> Date
    /// The accounts' latest changes by this process, which a full disk doesn't store.
    private let changes = Mutex(LRUCache<String, Date>(limit: 1000))

    /// Creates a cache; the folder is used when the first request is sent.
    ///
    /// - Parameters:
    ///   - folder: The folder in which the cache creates its own, `responses`, accessible only to
    ///     its owner.
    ///   - byteLimit: The approximate maximum size of the files in bytes; 0 or less stores nothing.
    ///     Each further process may exceed it by 1/8 before it notices the others' files. A
    ///     response larger than 1/8 of the limit isn't stored.
    ///   - now: The current date.
    ///   - clock: The clock that measures waits for the file system.
    public init(
        folder: URL,
        byteLimit: Int = 64 << 20,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.now = now
        blobs = BlobFolder(
            folder.appending(path: "responses", directoryHint: .isDirectory),
            byteLimit: byteLimit,
            now: now,
            clock: clock
        )
    }

    /// Returns the size of all responses in bytes; `nil` if the disk hangs.
    public func byteCount() async -> Int? { await blobs.run(within: .seconds(10)) { $0.byteCount() } }

    /// Removes all responses; responses in flight aren't stored.
    ///
    /// If the disk hangs, this returns before the removal, which precedes any later read.
    public func removeAll() async { await blobs.run(storing: 0) { $0.erase() } }

    /// Removes all responses to an account's requests to a service.
    ///
    /// Responses in flight aren't stored, in any process. If the disk hangs, this returns before
    /// the removal, which precedes any later read.
    ///
    /// - Parameters:
    ///   - account: As in ``HTTPClient/Request/account``.
    ///   - baseURL: A URL of the service; only its origin matters.
    public func removeAll(of account: String, at baseURL: URL) async {
        guard let origin = Origin(baseURL) else { return }
        let owner = Key.owner(of: account, at: origin)
        await blobs.run(storing: 0) { $0.erase(owner) }
    }

    /// Returns the place of a response, also before it's stored if `creates`.
    ///
    /// It's `nil` if there is none, or if the disk hangs.
    ///
    /// - Parameters:
    ///   - accepted: The age of a response that is the answer without a request.
    ///   - limit: The longest wait; `nil` for callers that can do without the response.
    func entry(
        for key: Key,
        creates: Bool,
        accepted: LoadOptions.Age? = nil,
        within limit: Duration? = nil
    ) async -> Entry? {
        let (date, change) = (now(), changes.withLock { $0.value(for: key.owner) })
        let found = await blobs.run(within: limit) { [limit = blobs.byteLimit / 8] blobs in
            blobs.group(of: key.owner, creates: creates).map { group in
                let blob = blobs.read(key.text, in: group, limit: limit)
                guard let blob, let accepted, accepted.contains(blob.date, at: date) else {
                    return (group, blob, false)
                }
                let stored = blobs.read(Key.change, in: group, limit: limit)?.date
                return (group, blob, [stored, change].allSatisfy { $0.map { $0 < blob.date } ?? true })
            }
        }
        guard let (group, blob, isYoung) = found else { return nil }
        // The clock may have been ahead.
        let response = blob.flatMap { CachedResponse($0, at: date) }
        return Entry(
            response: response,
            isYoung: isYoung,
            cache: self,
            group: group,
            key: key.text,
            date: date
        )
    }

    /// Records that an account has changed something: no response that was requested before is
    /// young.
    func noteChange(by request: HTTPClient.Request) async {
        guard let origin = Origin(request.url) else { return }
        let owner = Key.owner(of: request.account, at: origin)
        let change = Blob(date: now(), body: Data())
        changes.withLock { $0.insert(change.date, for: owner, cost: 1) }
        await blobs.run(storing: 0) { blobs in
            // Without a folder, there is no response, and none was requested.
            blobs.group(of: owner, creates: false).flatMap { blobs.write(change, Key.change, in: $0) }
        }
    }
}

extension ResponseCache {
    /// The place of a response in the folder of an account.
    ///
    /// Get it before the request is sent: if the account's responses are removed meanwhile, the
    /// response isn't stored.
    struct Entry: Sendable {
        /// The cached response; `nil` if there was none, or it was damaged.
        let response: CachedResponse?
        /// Whether the response is the answer without a request.
        let isYoung: Bool
        fileprivate let cache: ResponseCache
        fileprivate let group: BlobGroup
        fileprivate let key: String
        /// The date of the request, from which the response's age counts (RFC 9111, section 4.2.3).
        fileprivate let date: Date

        /// Whether the account's responses haven't been removed; `false` if the disk hangs.
        var isCurrent: Bool {
            get async { await cache.blobs.run { [group] _ in group.isCurrent } ?? false }
        }

        /// Stores a response that the server sent; returns its stored size in bytes, or `nil`.
        func store(_ response: HTTPClient.Response) async -> Int? {
            let blob = CachedResponse(response, date: date - RetryAfter.age(response.headers)).blob
            return await cache.blobs.run(storing: blob.body.count) { store(blob, in: $0) }
        }

        /// Returns a response that the server confirmed, and stores the confirmation.
        ///
        /// - Returns: `nil` if the confirmation is for another version, or the account's responses
        ///   were removed.
        func confirm(_ response: CachedResponse, by headers: HTTPHeaders) async -> CachedResponse? {
            let date = date - RetryAfter.age(headers)
            guard let confirmed = response.confirmed(by: headers, at: max(response.date, date)) else { return nil }
            // A list that is loaded again and again would otherwise be written each time, although
            // only the seconds change.
            let isNew =
                confirmed.headers != response.headers
                || abs(confirmed.date.timeIntervalSince(response.date)) >= 10
            let blob = isNew ? confirmed.blob : nil
            return await cache.blobs.run(storing: blob?.body.count ?? 0) { blobs in
                guard group.isCurrent else { return nil }
                if let blob { _ = store(blob, in: blobs) }
                return confirmed
            }
        }

        private func store(_ blob: Blob, in blobs: isolated BlobFolder) -> Int? {
            let limit = blobs.byteLimit / 8
            // The response to a later request can arrive first.
            let stored = blobs.read(key, in: group, limit: limit)?.date
            if let stored, stored > blob.date, stored <= cache.now() { return nil }
            guard Blob.size(body: blob.body.count, head: blob.head.count, key: key) <= limit else {
                blobs.remove(key, in: group)
                return nil
            }
            return blobs.write(blob, key, in: group)
        }

        /// Removes the response.
        func remove() async { await cache.blobs.run(storing: 0) { [group, key] in $0.remove(key, in: group) } }
    }

    /// Identifies a cached response.
    ///
    /// It consists of the origin, account, path, query, ``fields``, and the fields of the service.
    struct Key: Hashable, Sendable {
        /// The stored form of the key.
        let text: String
        /// The owner of the response; see ``owner(of:at:)``.
        let owner: String

        /// Creates the key of a request; `nil` if its responses can't be cached.
        ///
        /// - Parameter serviceKey: The ``serviceKey(of:)`` of the client.
        init?(_ request: HTTPClient.Request, of serviceKey: String = "") {
            guard request.method == .get, request.body == nil, request.headers.areWellFormed,
                let origin = Origin(request.url), request.account?.contains(where: \.isNewline) != true
            else { return nil }
            let path = request.url.path(percentEncoded: true)
            let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
            owner = Self.owner(of: request.account, at: origin)
            // No part contains a line break, so different keys have different texts.
            let fields = Self.fields.map { request.headers[$0] ?? "" }.joined(separator: "\n")
            text = "\(owner)\n\(path)\(query)\n\(fields)\n\(serviceKey)"
        }

        /// The names of the request's header fields in the key.
        static let fields = ["accept", "accept-language"]

        /// The key of an account's latest change, which isn't that of a response.
        static let change = "change"

        /// A digest of the fields that a service adds to every request, which can be those of one
        /// user.
        ///
        /// The name of the app doesn't count, since it changes with each version.
        static func serviceKey(of headers: HTTPHeaders) -> String {
            let fields = headers.fields.filter { !["accept", "user-agent"].contains($0.key) }
            let text = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
            return fields.isEmpty ? "" : SHA256Digest.hash(text).prefix(16).hexadecimal
        }

        /// The account of a service, whose responses are erased together.
        ///
        /// Accounts of different services can have the same name.
        static func owner(of account: String?, at origin: Origin) -> String { "\(origin.text)\n\(account ?? "")" }
    }
}
