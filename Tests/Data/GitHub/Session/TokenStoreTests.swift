import BrowseDomain
import Foundation
import TestSupport
import Testing

@testable import BrowseData

// A constant, and valid.
// swift-format-ignore: NeverForceUnwrap
private let gitHub = URL(string: "https://api.github.com")!

/// The places for credentials, which must behave the same.
enum TokenPlace: CaseIterable, Sendable {
    case memory
    case file
    case keychain

    /// An empty store, and the folder that goes away with it.
    func make() -> (store: any TokenStore, folder: TemporaryFolder) {
        let folder = TemporaryFolder()
        switch self {
        case .memory: return (InMemoryTokenStore(), folder)
        case .file: return (FileTokenStore(folder: folder.url, server: gitHub), folder)
        case .keychain:
            let keychain = KeychainModel()
            let store = KeychainTokenStore(
                server: gitHub,
                accessGroup: nil,
                lockFolder: folder.url,
                fallback: nil,
                keychain: keychain
            )
            return (store, folder)
        }
    }
}

@Suite struct `A store of tokens` {
    private func credentials(_ text: String) throws -> GitHub.Credentials {
        GitHub.Credentials(
            token: try Secret(text),
            expiresAt: Date(timeIntervalSince1970: 1_800_000_000.25),
            refreshToken: try Secret(text + "-refresh"),
            refreshExpiresAt: Date(timeIntervalSince1970: 1_900_000_000),
            scopes: ["public_repo", "read:user"],
            user: GitHub.User(
                id: .init(rawValue: .max),
                login: GitHub.Login("haneul_kim"),
                avatar: WebAddress(rawValue: "https://example.com/ü.png"),
                webPage: nil,
                kind: .init(rawValue: "Something new")
            )
        )
    }

    @Test(arguments: TokenPlace.allCases)
    func `gives back what was stored last, until it is deleted`(place: TokenPlace) async throws {
        let (store, folder) = place.make()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await store.load() == nil)
        try await store.delete()
        for text in ["first", "second"] {
            try await store.save(credentials(text))
            #expect(try await store.load() == credentials(text))
        }
        let bare = GitHub.Credentials(token: try Secret("bare"))
        try await store.save(bare)
        #expect(try await store.load() == bare)
        try await store.delete()
        try await store.delete()
        #expect(try await store.load() == nil)
    }

    @Test(arguments: TokenPlace.allCases)
    func `keeps one of those that were stored at once, whole`(place: TokenPlace) async throws {
        let (store, folder) = place.make()
        defer { withExtendedLifetime(folder) {} }
        let all = try (0..<40).map { try credentials(String(repeating: "\($0 % 10)", count: 1 + $0 * 50)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for credentials in all {
                group.addTask { try await store.save(credentials) }
                group.addTask { if let read = try await store.load() { #expect(all.contains(read)) } }
            }
            try await group.waitForAll()
        }
        let last = try #require(try await store.load())
        #expect(all.contains(last))
    }
}

@Suite struct `The file of a session` {
    private let folder = TemporaryFolder()
    private var store: FileTokenStore { FileTokenStore(folder: folder.url, server: gitHub) }
    private var file: URL { folder.file("session-https-api.github.com.json") }
    private var path: String { file.path(percentEncoded: false) }
    private let credentials: GitHub.Credentials

    init() throws {
        credentials = GitHub.Credentials(token: try Secret("canary-token"))
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
                StorageFailure(reason: reason, file: "session-https-api.github.com.json")
            ),
            sourceLocation: sourceLocation
        ) { try await store.load() }
    }

    @Test func `can be used by its owner alone, and so can its folder`() async throws {
        let old = umask(0)
        defer { umask(old) }
        try await store.save(credentials)
        #expect(try rights(file) == 0o600)
        #expect(try rights(folder.url) == 0o700)
        // What is left of a file that others could read is not what the next one is written into.
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        try await store.save(credentials)
        #expect(try rights(file) == 0o600)
        #expect(folder.names == ["session-https-api.github.com.json", "session-https-api.github.com.json-lock"])
    }

    /// A reader that looks at the file all the time while it is written sees no other rights: they are those of its first byte.
    @Test func `has its owner's rights from its first byte on`() async throws {
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
    func `is not used when others may use it`(rights: Int) async throws {
        try await store.save(credentials)
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        await expectFailure(.exposed)
        // Signing in again makes it good again.
        try await store.save(credentials)
        #expect(try await store.load() == credentials)
    }

    @Test func `is not used when it is a link, and a link is not written through`() async throws {
        let target = folder.file("elsewhere.json")
        try await store.save(credentials)
        try FileManager.default.moveItem(at: file, to: target)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        await expectFailure(.exposed)
        let other = GitHub.Credentials(token: try Secret("other"))
        try await store.save(other)
        #expect(try await store.load() == other)
        #expect(try String(contentsOf: target, encoding: .utf8).contains("canary-token"))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular)
    }

    @Test func `that waits under the name of the new one is not written through either`() async throws {
        let target = folder.file("elsewhere.json")
        try await store.save(credentials)
        try Data("mine".utf8).write(to: target)
        try FileManager.default.createSymbolicLink(
            at: folder.file("session-https-api.github.com.json-new"),
            withDestinationURL: target
        )
        try await store.save(credentials)
        #expect(try String(contentsOf: target, encoding: .utf8) == "mine")
        #expect(try await store.load() == credentials)
    }

    @Test func `goes with what a writer left who was stopped in the middle`() async throws {
        try await store.save(credentials)
        try Data("canary-token".utf8).write(to: folder.file("session-https-api.github.com.json-new"))
        try await store.delete()
        #expect(folder.names == ["session-https-api.github.com.json-lock"])
    }

    @Test func `is not used when it is a folder, a pipe or a link to nowhere`() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        await expectFailure(.exposed)
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(path, 0o600) == 0)
        await expectFailure(.exposed)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: folder.file("nowhere"))
        await expectFailure(.exposed)
    }

    @Test func `is not used when it belongs to somebody else`() async throws {
        // Only root can give a file away.
        guard geteuid() == 0 else { return }
        try await store.save(credentials)
        #expect(chown(path, 65534, 65534) == 0)
        await expectFailure(.exposed)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{\"version\":1}",
        "{\"version\":1,\"server\":\"https://api.github.com\",\"token\":\"\",\"scopes\":[]}", "\u{0}",
    ])
    func `that cannot be understood is told as damaged, and signing in replaces it`(text: String) async throws {
        try put(text)
        await expectFailure(.damaged)
        try await store.save(credentials)
        #expect(try await store.load() == credentials)
    }

    @Test func `that is far too long is told as damaged, without being read`() async throws {
        try put(String(repeating: " ", count: 70_000))
        await expectFailure(.damaged)
    }

    @Test func `is one for each server, and given to no other`() async throws {
        let servers = [
            "https://api.github.com", "http://api.github.com", "https://api.github.com:8443",
            "https://api.github.com.evil",
            "https://ghe.example/api/v3", "http://127.0.0.1:9099", "http://[::1]:9099", "http://127.0.0.1:90990",
        ]
        for (number, server) in servers.enumerated() {
            let url = try #require(URL(string: server))
            let store = FileTokenStore(folder: folder.url, server: url)
            #expect(try await store.load() == nil, "\(server)")
            try await store.save(GitHub.Credentials(token: try Secret("token-\(number)")))
        }
        for (number, server) in servers.enumerated() {
            let url = try #require(URL(string: server))
            #expect(
                try await FileTokenStore(folder: folder.url, server: url).load()?.token == Secret("token-\(number)")
            )
        }
        // The same origin, written in another way.
        let same = try #require(URL(string: "HTTPS://API.github.com:443/"))
        #expect(try await FileTokenStore(folder: folder.url, server: same).load()?.token == Secret("token-0"))
        // Nor when somebody renames the file.
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: folder.file("session-http-127.0.0.1_3a9099.json"), to: file)
        #expect(try await store.load() == nil)
    }

    @Test func `of a newer version is left alone`() async throws {
        let text = "{\"version\":7,\"tokens\":[{\"secret\":\"x\"}]}"
        try put(text)
        await expectFailure(.newerVersion(found: 7, supported: 1))
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `that cannot be written is told, and the old one stays`() async throws {
        try await store.save(credentials)
        // A folder where the new file would be cannot be taken away by whoever may not look into it: not even by root.
        try FileManager.default.createDirectory(
            at: folder.file("session-https-api.github.com.json-new/x"),
            withIntermediateDirectories: true
        )
        let other = GitHub.Credentials(token: try Secret("other"))
        await #expect(throws: BrowseError.self) { try await store.save(other) }
        #expect(try await store.load() == credentials)

        let below = FileTokenStore(folder: file.appending(path: "below"), server: gitHub)
        await #expect(
            throws: BrowseError.storageFailed(
                StorageFailure(reason: .notWritable, file: "session-https-api.github.com.json")
            )
        ) { try await below.save(other) }
    }

    #if os(Linux) || os(macOS)
    @Test func `is the old one or the new one when its writer is killed, 100 times`() async throws {
        var random = SeededGenerator(seed: 5)
        let long = try Secret(String(repeating: "a", count: 10_000))
        let short = try Secret(String(repeating: "b", count: 10))
        var found: Set<Secret> = []
        for round in 0..<100 {
            let child = try ChildProcess("tokens", folder.url.path(percentEncoded: false))
            _ = await child.killed(afterLines: Int.random(in: 1..<8, using: &random))
            let token = try #require(try await store.load()?.token, "round \(round)")
            #expect(token == long || token == short, "round \(round)")
            found.insert(token)
        }
        #expect(found.count == 2)
        // And nothing is in the way of the next one.
        try await store.save(credentials)
        #expect(try await store.load() == credentials)
    }
    #endif
}
