import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded) struct `A folder of blobs` {
    private let folder = TemporaryFolder()
    private let time = TickingTime()

    private func store(limit: Int = 1 << 20) -> BlobFolder {
        BlobFolder(folder.url, byteLimit: limit, now: time.now, clock: TestClock())
    }

    /// Runs work with the folder of an owner.
    private func inGroup<Value: Sendable>(
        of owner: String = "mona",
        _ work: @escaping @Sendable (isolated BlobFolder, BlobGroup) -> Value?
    ) async -> Value? {
        await store().run { store in store.group(of: owner, creates: true).flatMap { work(store, $0) } }
    }

    private func write(_ text: String, _ key: String = "key") async -> Int? {
        let blob = blob(text)
        return await inGroup { $0.write(blob, key, in: $1) }
    }

    private func read() async -> Blob? { await inGroup { $0.read("key", in: $1, limit: 1000) } }

    private func blob(_ text: String, head: String = "head") -> Blob {
        Blob(date: testNow, head: Data(head.utf8), body: Data(text.utf8))
    }

    private func path(_ key: String, of owner: String = "mona") -> URL {
        folder.file("\(BlobFolder.name(of: owner))/\(BlobFolder.name(of: key))")
    }

    @Test(arguments: 0..<8)
    func `agrees with a model after random operations`(seed: UInt64) async throws {
        var model = BlobModel(folder, time, seed: seed)
        for step in 0..<400 {
            try await model.step()
            try model.expectAgreement("seed \(seed), step \(step)")
        }
        #expect(model.readCount > 10)
        #expect(model.evictionCount > 0)
    }

    @Test func `detects any two damaged bytes, also if their sum is unchanged`() throws {
        let body = Data((0..<300).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) })
        let whole = body + Blob(date: testNow, body: body).tail(key: "a")
        #expect(Blob(whole, key: "a")?.body == body)
        var file = whole
        for first in 0..<300 {
            file[first] ^= 0x10
            for second in (first + 1)..<300 {
                file[second] ^= 0x10
                if Blob(file, key: "a") != nil { Issue.record("\(first) and \(second)") }
                file[second] ^= 0x10
            }
            file[first] ^= 0x10
        }
    }

    @Test func `can be accessed by its owner only, and ignores files that others could have written`() async throws {
        #expect(await write("a") != nil)
        let file = path("key").path()
        for (path, permissions) in [(folder.url.path(), 0o700), (String(file.dropLast(17)), 0o700), (file, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == permissions)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
        #expect(await read() == nil)
        let folderPath = String(file.dropLast(17))
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folderPath)
        #expect(await inGroup { _, group in group } == nil)
    }

    @Test func `follows no symbolic links, and deletes nothing behind them`() async throws {
        let elsewhere = TemporaryFolder()
        try FileManager.default.createDirectory(at: elsewhere.url, withIntermediateDirectories: true)
        let foreign = elsewhere.file(BlobFolder.name(of: "key"))
        #expect(await write("a") != nil)
        try FileManager.default.moveItem(at: path("key"), to: foreign)
        try FileManager.default.createSymbolicLink(at: path("key"), withDestinationURL: foreign)
        #expect(await read() == nil)
        // A new file replaces the link, not its destination.
        #expect(await write("b") != nil)
        #expect(await read()?.body == Data("b".utf8))
        let link = folder.file(BlobFolder.name(of: "hubot"))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: elsewhere.url)
        #expect(await inGroup(of: "hubot") { _, group in group } == nil)
        await store().run { $0.erase("hubot") }
        await store().run { $0.erase() }
        #expect(elsewhere.names == [BlobFolder.name(of: "key")])
        #expect(folder.names.isEmpty)
    }

    @Test func `deletes leftovers of processes that ended, but no file that is being written`() async throws {
        #expect(await write("a") != nil)
        let owner = path("key").deletingLastPathComponent()
        let (old, new) = (owner.appending(path: "new-1"), owner.appending(path: "new-2"))
        for file in [old, new] { try Data([1]).write(to: file) }
        let lastYear = [FileAttributeKey.modificationDate: Date.now - 31_536_000]
        try FileManager.default.setAttributes(lastYear, ofItemAtPath: old.path())
        // Another process ended after it had renamed the folder of an owner.
        let erased = folder.file("erased-1")
        try FileManager.default.createDirectory(at: erased, withIntermediateDirectories: true)
        try Data([1]).write(to: erased.appending(path: BlobFolder.name(of: "key")))
        #expect(await write("b", "other") != nil)
        #expect(folder.names == [owner.lastPathComponent])
        #expect(!FileManager.default.fileExists(atPath: old.path()))
        #expect(FileManager.default.fileExists(atPath: new.path()))
    }

}

/// Random operations of one or two users of a folder, next to a list.
private struct BlobModel {
    private struct Entry {
        let owner: String
        let key: String
        let body: Data
        var use: Int
    }

    private let folder: TemporaryFolder
    private let time: TickingTime
    private let limit: Int
    private var random: SeededGenerator
    private var stores: [BlobFolder]
    private var entries: [Entry] = []
    /// Groups as they were opened, and whether their owner's blobs were erased since.
    private var held: [(group: BlobGroup, owner: String, isErased: Bool)] = []
    private var uses = 0
    private var hasWritten = false
    private(set) var readCount = 0
    private(set) var evictionCount = 0

    init(_ folder: TemporaryFolder, _ time: TickingTime, seed: UInt64) {
        self.folder = folder
        self.time = time
        random = SeededGenerator(seed: seed)
        limit = Int.random(in: 800...1600, using: &random)
        stores = []
        stores = (0..<(seed % 2 == 0 ? 1 : 2)).map { _ in makeStore() }
    }

    private func makeStore() -> BlobFolder {
        BlobFolder(folder.url, byteLimit: limit, now: time.now, clock: TestClock())
    }

    private func place(_ owner: String, _ key: String) -> Int? {
        entries.firstIndex { $0.owner == owner && $0.key == key }
    }

    mutating func step() async throws {
        let stores = stores
        hasWritten = false
        let owner = ["mona", "hubot"].randomElement(using: &random) ?? ""
        let key = "\(Int.random(in: 0..<12, using: &random))"
        let index = Int.random(in: 0..<stores.count, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: try await write(try await group(index, owner), owner, key, by: stores[index])
        case 40..<70:
            let limit = limit
            let found = await stores[index].run { store in
                store.group(of: owner, creates: false).flatMap { store.read(key, in: $0, limit: limit) }
            }
            check(found, owner, key)
        case 70..<75:
            await stores[index].run { store in
                store.group(of: owner, creates: false).map { store.remove(key, in: $0) }
            }
            if let place = place(owner, key) { entries.remove(at: place) }
        case 75..<78:
            await stores[index].run { $0.erase(owner) }
            forget(owner)
        case 78:
            await stores[index].run { $0.erase() }
            for owner in ["mona", "hubot"] { forget(owner) }
        case 79..<85: held.append((try await group(index, owner), owner, false))
        case 85..<94:
            guard let late = held.randomElement(using: &random) else { return }
            #expect(late.group.isCurrent != late.isErased)
            if late.isErased {
                await stores[index].run { [group = late.group] in
                    $0.write(Blob(date: testNow, body: Data("late".utf8)), key, in: group)
                }
            } else {
                try await write(late.group, late.owner, key, by: stores[index])
            }
        case 94..<97:
            // By the system, when it's low on storage.
            let name = "\(BlobFolder.name(of: owner))/\(BlobFolder.name(of: key))"
            try? FileManager.default.removeItem(at: folder.file(name))
            if let place = place(owner, key) { entries.remove(at: place) }
        default: self.stores[index] = makeStore()
        }
    }

    private func group(_ index: Int, _ owner: String) async throws -> BlobGroup {
        try #require(await stores[index].run { $0.group(of: owner, creates: true) })
    }

    private mutating func write(_ group: BlobGroup, _ owner: String, _ key: String, by store: BlobFolder) async throws {
        uses += 1
        let body = Data(repeating: UInt8(uses & 255), count: Int.random(in: 0...200, using: &random))
        #expect(await store.run { $0.write(Blob(date: testNow, body: body), key, in: group) } != nil)
        if let place = place(owner, key) { entries.remove(at: place) }
        entries.append(Entry(owner: owner, key: key, body: body, use: uses))
        hasWritten = true
    }

    private mutating func check(_ found: Blob?, _ owner: String, _ key: String) {
        let place = place(owner, key)
        #expect(found?.body == place.map { entries[$0].body })
        guard let place else { return }
        uses += 1
        readCount += 1
        entries[place].use = uses
    }

    private mutating func forget(_ owner: String) {
        entries.removeAll { $0.owner == owner }
        for index in held.indices where held[index].owner == owner { held[index].isErased = true }
    }

    /// Checks that the folder has the model's blobs, except the least recently used ones if it was full.
    mutating func expectAgreement(_ comment: Comment) throws {
        let files = cachedFiles(in: folder.url)
        let names = Set(files.map { $0.pathComponents.suffix(2).joined(separator: "/") })
        func isPresent(_ entry: Entry) -> Bool {
            names.contains("\(BlobFolder.name(of: entry.owner))/\(BlobFolder.name(of: entry.key))")
        }
        let evicted = entries.filter { !isPresent($0) }
        entries = entries.filter(isPresent)
        #expect(names.count == entries.count, comment)
        let bytes = try files.reduce(0) { try $0 + Data(contentsOf: $1).count }
        #expect(bytes <= (stores.count == 1 ? limit : limit + limit / 8), comment)
        guard let latest = evicted.map(\.use).max() else { return }
        evictionCount += evicted.count
        #expect(hasWritten, comment)
        #expect(bytes + 300 > limit - limit / 8, comment)
        #expect(latest < entries.map(\.use).min() ?? .max, comment)
    }
}
