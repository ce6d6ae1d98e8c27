import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// The token stores, which must behave the same.
enum TokenStoreKind: CaseIterable, Sendable {
    case memory
    case file
    case keychain

    /// Creates an empty store and its temporary folder.
    func make() -> (store: any TokenStore, folder: TemporaryFolder) {
        let folder = TemporaryFolder()
        switch self {
        case .memory: return (InMemoryTokenStore(), folder)
        case .file: return (FileTokenStore(folder: folder.url, name: .gitHub), folder)
        case .keychain:
            let keychain = KeychainModel()
            let store = KeychainTokenStore(
                name: .gitHub,
                accessGroup: nil,
                fileStore: FileTokenStore(folder: folder.url, name: .gitHub),
                keychain: keychain
            )
            return (store, folder)
        }
    }
}

@Suite(.bounded)
struct `A token store` {
    private func credentials(_ text: String) throws -> Credentials {
        var credentials = Credentials(
            token: try Secret(text),
            expiresAt: Date(timeIntervalSince1970: 1_800_000_000.25),
            refreshToken: try Secret(text + "-refresh"),
            scopes: ["public_repo", "read:user"],
            user: GitHub.User(
                id: .init(rawValue: .max),
                login: GitHub.Login("haneul_kim"),
                avatar: WebAddress(rawValue: "https://example.com/ü.png"),
                webPage: nil,
                kind: .init(rawValue: "Something new")
            )
        )
        credentials.issuedAt = Date(timeIntervalSince1970: 1_700_000_000)
        return credentials
    }

    @Test(arguments: TokenStoreKind.allCases)
    func `returns the last stored credentials until they're deleted`(kind: TokenStoreKind) async throws {
        let (store, folder) = kind.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.load() == nil)
        try await store.delete()
        for text in ["first", "second"] {
            try await store.save(credentials(text))
            #expect(try await store.load() == credentials(text))
        }
        let bare = Credentials(token: try Secret("bare"))
        try await store.save(bare)
        #expect(try await store.load() == bare)
        try await store.delete()
        try await store.delete()
        #expect(try await store.load() == nil)
    }
}

@Suite(.bounded)
struct `A session file` {
    private let folder = TemporaryFolder()
    private var store: FileTokenStore { FileTokenStore(folder: folder.url, name: .gitHub) }
    private var file: URL { folder.file("session-a230eac5ba3ffc4243f5b445ff2105ea.json") }
    private var path: String { file.path(percentEncoded: false) }
    private let credentials: Credentials

    init() throws {
        credentials = Credentials(token: try Secret("canary-token"))
    }

    private func rights(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func put(_ text: String, rights: Int = 0o600) throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
    }

    private func expectFailure(_ reason: StorageFailure.Reason, sourceLocation: SourceLocation = #_sourceLocation) async
    {
        await #expect(
            throws: BrowseError.storageFailed(
                StorageFailure(reason: reason, file: "session-a230eac5ba3ffc4243f5b445ff2105ea.json")
            ),
            sourceLocation: sourceLocation
        ) { try await store.load() }
    }

    @Test func `is accessible to its owner only, like its folder`() async throws {
        let old = umask(0)
        defer { umask(old) }
        try await store.save(credentials)
        #expect(try rights(file) == 0o600)
        #expect(try rights(folder.url) == 0o700)
        // The next file isn't written into a leftover file that others can read.
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        try await store.save(credentials)
        #expect(try rights(file) == 0o600)
        #expect(
            folder.names == [
                "session-a230eac5ba3ffc4243f5b445ff2105ea.json", "session-a230eac5ba3ffc4243f5b445ff2105ea.json-lock",
            ]
        )
    }

    /// Polls the file's permissions while it's written.
    @Test func `has private permissions from its creation on`() async throws {
        let old = umask(0)
        defer { umask(old) }
        try await store.save(credentials)
        let writing = Task { [store, credentials] in
            for _ in 0..<200 { try await store.save(credentials) }
        }
        var looks = 0
        while looks < 2000 {
            for name in folder.names where name.hasSuffix(".json") {
                var status = stat()
                guard stat(folder.file(name).path(percentEncoded: false), &status) == 0 else { continue }
                #expect(status.st_mode & 0o777 == 0o600, "\(name)")
                looks += 1
            }
        }
        try await writing.value
    }

    @Test(arguments: [0o604, 0o640, 0o660, 0o602, 0o620, 0o644, 0o666, 0o601, 0o777])
    func `isn't used if others can access it`(rights: Int) async throws {
        try await store.save(credentials)
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        await expectFailure(.exposed)
        // Signing in replaces it.
        try await store.save(credentials)
        #expect(try await store.load() == credentials)
    }

    @Test func `isn't read or written through a link`() async throws {
        let target = folder.file("elsewhere.json")
        try await store.save(credentials)
        try FileManager.default.moveItem(at: file, to: target)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        await expectFailure(.exposed)
        let other = Credentials(token: try Secret("other"))
        try await store.save(other)
        #expect(try await store.load() == other)
        #expect(try String(contentsOf: target, encoding: .utf8).contains("canary-token"))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular)
    }

    @Test func `isn't written through a link with the temporary file's name`() async throws {
        let target = folder.file("elsewhere.json")
        try await store.save(credentials)
        try Data("mine".utf8).write(to: target)
        try FileManager.default.createSymbolicLink(
            at: folder.file("session-a230eac5ba3ffc4243f5b445ff2105ea.json-new"),
            withDestinationURL: target
        )
        try await store.save(credentials)
        #expect(try String(contentsOf: target, encoding: .utf8) == "mine")
        #expect(try await store.load() == credentials)
    }

    @Test func `is deleted with the temporary file of a killed writer`() async throws {
        try await store.save(credentials)
        try Data("canary-token".utf8).write(to: folder.file("session-a230eac5ba3ffc4243f5b445ff2105ea.json-new"))
        try await store.delete()
        #expect(folder.names == ["session-a230eac5ba3ffc4243f5b445ff2105ea.json-lock"])
    }

    @Test func `isn't used if it's a folder, a pipe, or a dangling link`() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        await expectFailure(.exposed)
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(path, 0o600) == 0)
        await expectFailure(.exposed)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: folder.file("nowhere"))
        await expectFailure(.exposed)
    }

    @Test func `isn't used if it belongs to another user`() async throws {
        // Only root can change the owner of a file.
        guard geteuid() == 0 else { return }
        try await store.save(credentials)
        #expect(chown(path, 65534, 65534) == 0)
        await expectFailure(.exposed)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{\"version\":1}",
        "{\"version\":1,\"session\":\"GitHub https://api.github.com\",\"token\":\"\",\"scopes\":[]}", "\u{0}",
    ])
    func `with invalid contents throws damaged, and signing in replaces it`(text: String) async throws {
        try put(text)
        await expectFailure(.damaged)
        try await store.save(credentials)
        #expect(try await store.load() == credentials)
    }

    @Test(arguments: [TokenStoreKind.file, .keychain])
    func `that is too large for a read isn't written`(kind: TokenStoreKind) async throws {
        let (store, folder) = kind.make()
        defer { withExtendedLifetime(folder) {} }
        func credentials(_ count: Int) throws -> Credentials {
            Credentials(token: try Secret("a"), scopes: [String(repeating: "a", count: count)])
        }
        let large = try credentials(1_000_000)
        try await store.save(large)
        #expect(try await store.load() == large)
        let larger = try credentials(CredentialsCoder.byteLimit)
        let error = await thrown { () async throws(BrowseError) in try await store.save(larger) }
        guard case .storageFailed(let failure) = error, failure.reason == .notEncodable else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await store.load() == large)
    }

    @Test func `of a newer version isn't changed`() async throws {
        let text = "{\"version\":7,\"tokens\":[{\"secret\":\"x\"}]}"
        try put(text)
        await expectFailure(.newerVersion(found: 7, supported: 1))
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `that can't be written throws, and the old one stays`() async throws {
        try await store.save(credentials)
        // A folder with the temporary file's name can't be deleted, not even by root.
        try FileManager.default.createDirectory(
            at: folder.file("session-a230eac5ba3ffc4243f5b445ff2105ea.json-new/x"),
            withIntermediateDirectories: true
        )
        let other = Credentials(token: try Secret("other"))
        await #expect(throws: BrowseError.self) { try await store.save(other) }
        #expect(try await store.load() == credentials)

        let below = FileTokenStore(folder: file.appending(path: "below"), name: .gitHub)
        await #expect(
            throws: BrowseError.storageFailed(
                StorageFailure(reason: .notWritable, file: "session-a230eac5ba3ffc4243f5b445ff2105ea.json")
            )
        ) { try await below.save(other) }
    }

    #if os(Linux) || os(macOS)
    @Test func `is the old or the new one after kills at random times`() async throws {
        var random = SeededGenerator(seed: 5)
        let long = try Secret(String(repeating: "a", count: 8000))
        let short = try Secret(String(repeating: "b", count: 10))
        var found: Set<Secret> = []
        for round in 0..<rounds(100) {
            let child = try ChildProcess("tokens", folder.url.path(percentEncoded: false))
            _ = await child.killed(afterLines: Int.random(in: 1..<8, using: &random))
            let token = try #require(try await store.load()?.token, "round \(round)")
            #expect(token == long || token == short, "round \(round)")
            found.insert(token)
        }
        #expect(found.count == 2)
        // The next write succeeds.
        try await store.save(credentials)
        #expect(try await store.load() == credentials)
    }
    #endif
}
