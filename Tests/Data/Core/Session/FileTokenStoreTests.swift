import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `The folder and locks of a session` {
    private let folder = TemporaryFolder()
    private let clock = TestClock()
    private let credentials: Credentials
    private let name = "session-a230eac5ba3ffc4243f5b445ff2105ea.json"

    init() throws {
        credentials = Credentials(token: try Secret("canary-token"))
    }

    private var store: FileTokenStore { FileTokenStore(folder: folder.url, name: .gitHub) }
    private var path: String { folder.url.path(percentEncoded: false) }

    private func failure(_ reason: StorageFailure.Reason) -> BrowseError {
        .storageFailed(StorageFailure(reason: reason, file: name))
    }

    private func rights() throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    // MARK: Folders

    @Test(arguments: [0o770, 0o707, 0o777, 0o775, 0o722])
    func `lose write permissions for group and others`(rights: Int) async throws {
        try await store.save(credentials)
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        #expect(try await store.load() == credentials)
        #expect(try self.rights() == rights & 0o755)
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        try await store.save(credentials)
        #expect(try self.rights() == rights & 0o755)
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        #expect(try await store.refreshLock() != nil)
        #expect(try self.rights() == rights & 0o755)
    }

    @Test(arguments: [0o1777, 0o2775])
    func `aren't used or changed if they're shared on purpose`(rights: mode_t) async throws {
        try await store.save(credentials)
        #expect(chmod(path, rights) == 0)
        let exposed = BrowseError.storageFailed(
            StorageFailure(reason: .exposedFolder, file: folder.url.lastPathComponent)
        )
        await #expect(throws: exposed) { try await store.load() }
        await #expect(throws: exposed) { try await store.save(credentials) }
        await #expect(throws: exposed) { try await store.refreshLock() }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == rights)
        // Deleting the token is possible.
        try await StoredTokenRepository(store: store).end()
        #expect(!folder.names.contains(name))
    }

    @Test func `aren't used if they belong to another user`() async throws {
        // Only root can change the owner of a folder.
        guard geteuid() == 0 else { return }
        try await store.save(credentials)
        #expect(chown(path, 65534, 65534) == 0)
        let exposed = BrowseError.storageFailed(
            StorageFailure(reason: .exposedFolder, file: folder.url.lastPathComponent)
        )
        await #expect(throws: exposed) { try await store.load() }
    }

    // MARK: Locks

    @Test(arguments: ["-lock", "-refresh-lock"])
    func `aren't opened through a link, or if something else has their name`(suffix: String) async throws {
        try await store.save(credentials)
        let lock = folder.file(name + suffix)
        let target = folder.file("target")
        let take = { () async throws -> Void in
            if suffix == "-lock" { try await store.save(credentials) } else { _ = try await store.refreshLock() }
        }
        // Links to an existing and to a missing file.
        for exists in [true, false] {
            try? FileManager.default.removeItem(at: lock)
            if exists {
                try Data("mine".utf8).write(to: target)
            } else {
                try FileManager.default.removeItem(at: target)
            }
            try FileManager.default.createSymbolicLink(at: lock, withDestinationURL: target)
            await #expect(throws: BrowseError.self) { try await take() }
            #expect(FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) == exists)
        }
        try FileManager.default.removeItem(at: lock)
        #expect(mkfifo(lock.path(percentEncoded: false), 0o600) == 0)
        await #expect(throws: BrowseError.self) { try await take() }
        try FileManager.default.removeItem(at: lock)
        try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
        await #expect(throws: BrowseError.self) { try await take() }
        #expect(try await store.load() == credentials)
    }

    @Test func `aren't taken if they belong to another user, who could hold them forever`() async throws {
        // Only root can change the owner of a file.
        guard geteuid() == 0 else { return }
        try await store.save(credentials)
        #expect(chown(folder.file(name + "-lock").path(percentEncoded: false), 65534, 65534) == 0)
        await #expect(throws: failure(.exposed)) { try await store.save(credentials) }
    }

    @Test func `are waited for until a time limit or cancellation`() async throws {
        let store = FileTokenStore(folder: folder.url, name: .gitHub, clock: clock)
        try await store.save(credentials)
        let descriptor = try #require(try StorageFile(folder: folder.url, name: name).tryLock())
        let waiting = Task { try await store.delete() }
        await clock.waitForSleepers(1)
        await clock.advance(by: FileTokenStore.longestWait)
        await #expect(throws: failure(.busy)) { try await waiting.value }

        let leaving = Task { try await store.delete() }
        await clock.waitForSleepers(1)
        // A caller that waits in this process's queue.
        let behind = Task { try await store.delete() }
        behind.cancel()
        await #expect(throws: BrowseError.cancelled) { try await behind.value }
        leaving.cancel()
        await #expect(throws: BrowseError.cancelled) { try await leaving.value }
        #expect(try await store.load() == credentials)
        StorageFile.unlock(descriptor)
        try await store.delete()
        #expect(try await store.load() == nil)
    }

    @Test func `for a refresh are separate from those for reading and writing`() async throws {
        let lock = try #require(try await store.refreshLock())
        #expect(try await FileTokenStore(folder: folder.url, name: .gitHub).refreshLock() == nil)
        try await store.save(credentials)
        try await store.delete()
        lock.release()
        #expect(!lock.isHeld)
        #expect(try await store.refreshLock() != nil)
        // Deallocation releases it, when the queue's thread has dropped its result, too.
        let next = try await ContinuousClock().poll(every: .milliseconds(1), for: .seconds(60)) {
            try await store.refreshLock()
        }
        #expect(next != nil)
    }

    @Test func `for a refresh are shared by keychain stores`() async throws {
        func store() -> KeychainTokenStore {
            KeychainTokenStore(name: .gitHub, accessGroup: nil, fileStore: self.store, keychain: KeychainModel())
        }
        let lock = try #require(try await store().refreshLock())
        #expect(try await store().refreshLock() == nil)
        lock.release()
        #expect(try await store().refreshLock() != nil)
    }

    @Test func `for a refresh are released before the system suspends the process`() async throws {
        let expirations = Monitor<[@Sendable () -> Void]>([])
        let endCount = Monitor(0)
        let store = FileTokenStore(
            folder: folder.url,
            name: .gitHub,
            clock: clock,
            activity: ExpiringActivity { onExpiration in
                expirations.withLock { $0.append(onExpiration) }
                return { endCount.withLock { $0 += 1 } }
            }
        )
        let first = try #require(try await store.refreshLock())
        #expect(expirations.value.count == 1 && endCount.value == 0)
        expirations.value[0]()
        #expect(!first.isHeld)
        await endCount.wait { $0 == 1 }
        let second = try #require(try await store.refreshLock())
        second.release()
        await endCount.wait { $0 == 2 }
        // Later expirations do nothing.
        for expire in expirations.value { expire() }
        first.release()
        #expect(endCount.value == 2)
    }

    // MARK: Names

    @Test func `are unique per service and server`() async throws {
        let servers = [
            "https://a_b", "https://a-b", "https://a.b", "https://a%2Db", "https://a%5Fb", "http://a-b", "https://ab",
            "https://a-b:8443", "https://a-b-8443", "https://a-b_8443", "https://a-b_3a8443", "https://a-b%3a8443",
            "http://[::1]:9099", "http://[::1:9099]", "http://[::1]", "http://127.0.0.1:80", "http://127.0.0.1:8080",
            "http://127.0.0.18080", "https://ghe", "https://ghe-new", "https://ghe.json", "https://ghe.json-new",
            "https://ghe.json-lock", "https://ghe-lock", "https://bücher.example", "https://xn--bcher-kva.example.",
            "https://b-cher.example", "https://" + String(repeating: "a", count: 200),
            "https://" + String(repeating: "a", count: 201),
            "https://" + String(repeating: "a.", count: 120) + "x",
            "https://" + String(repeating: "a.", count: 120) + "y",
            "ftp://a-b",
        ]
        let urls = servers.compactMap { URL(string: $0) }
        #expect(urls.count >= servers.count - 2)
        let gateway = try #require(URL(string: "https://gateway.example/a"))
        let names =
            urls.map { SessionName("GitHub", at: $0) }
            + ["GitHub", "github", "git-hub", "git hub", ""].map { SessionName($0, at: gateway) }
            + [SessionName("GitHub", at: gateway.appending(path: "b"))]
        for (number, name) in names.enumerated() {
            let store = FileTokenStore(folder: folder.url, name: name)
            #expect(try await store.load() == nil, "\(name)")
            try await store.save(Credentials(token: try Secret("token-\(number)")))
            _ = try await store.refreshLock()
        }
        for (number, name) in names.enumerated() {
            let token = try await FileTokenStore(folder: folder.url, name: name).load()?.token
            #expect(try token == Secret("token-\(number)"), "\(name)")
        }
        // The same server in another spelling.
        let same = try #require(URL(string: "HTTPS://user@GATEWAY.example:443/a?query#fragment"))
        let token = try await FileTokenStore(folder: folder.url, name: SessionName("GitHub", at: same)).load()?.token
        #expect(token == (try Secret("token-\(urls.count)")))
        // Three files per name, which differ even on case-insensitive file systems.
        #expect(Set(folder.names.map { $0.lowercased() }).count == 3 * names.count)
        #expect(folder.names.allSatisfy { $0.utf8.count <= 255 })
    }
}
