import BrowseDomain
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// A time that advances by one second at each read.
final class TickingTime: Sendable {
    private let seconds = Mutex(0.0)

    var now: @Sendable () -> Date {
        { [self] in
            seconds.withLock { seconds in
                seconds += 1
                return testNow + seconds
            }
        }
    }

    func advance(by duration: Duration) {
        seconds.withLock { $0 += duration.timeInterval }
    }
}

@Suite(.bounded) struct `An image folder` {
    private let folder = TemporaryFolder()
    private let time = TickingTime()

    private func images(limit: Int = 1 << 20) -> ImageFolder {
        ImageFolder(folder.url, limit: limit, now: time.now)
    }

    private func file(_ letter: Character, _ count: Int = 100) -> ImageFile {
        ImageFile(data: Data(String(repeating: letter, count: count).utf8), date: testNow)
    }

    private func rights(of path: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path.path(percentEncoded: false))[.posixPermissions] as? Int
    }

    @Test func `returns stored images, even after a restart`() async throws {
        let old = images()
        try await old.store(file("a"), named: "one")
        try await old.store(file("b", 0), named: "empty")
        for folder in [old, images()] {
            let image = try #require(folder.image(named: "one", limit: 100))
            #expect(image.data == file("a").data)
            #expect(image.data.startIndex == 0)
            #expect(image.date == testNow)
            #expect(folder.image(named: "empty", limit: 0)?.data == Data())
            #expect(folder.image(named: "two", limit: 100) == nil)
        }
    }

    @Test func `stores images without waiting for another process that evicts`() async throws {
        let images = images()
        try await images.store(file("a"), named: "one")
        let lock = StorageFile(folder: folder.url, name: "images")
        let busy = try lock.locked { try lock.lockedUnlessBusy { 1 } }
        #expect(busy == nil)
        #expect(try lock.lockedUnlessBusy { 1 } == 1)
        let other = open(folder.file("images-lock").path(percentEncoded: false), O_RDWR)
        #expect(flock(other, LOCK_EX) == 0)
        let fresh = ImageFolder(folder.url, limit: 1 << 20, now: time.now)
        try await fresh.store(file("b"), named: "two")
        close(other)
        #expect(fresh.image(named: "two", limit: 100)?.data == file("b").data)
    }

    @Test func `evicts images with a future date of use first`() async throws {
        let images = images(limit: 1000)
        for letter in "abc" { try await images.store(file(letter, 200), named: String(letter)) }
        let ahead = folder.file("b.image").path(percentEncoded: false)
        try FileManager.default.setAttributes([.modificationDate: testNow + 86_400], ofItemAtPath: ahead)
        try await images.store(file("d", 200), named: "d")
        try await images.store(file("e", 200), named: "e")
        #expect(!folder.names.contains("b.image"))
        #expect(folder.names.contains("e.image"))
    }

    @Test func `is accessible to its owner only`() async throws {
        try await images().store(file("a"), named: "one")
        #expect(folder.names == ["images-lock", "one.image"])
        #expect(try rights(of: folder.url) == 0o700)
        #expect(try rights(of: folder.file("one.image")) == 0o600)
        #expect(try rights(of: folder.file("images-lock")) == 0o600)
    }

    @Test func `ignores files that others could have written`() async throws {
        try await images().store(file("a"), named: "one")
        let path = folder.file("one.image").path(percentEncoded: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        #expect(images().image(named: "one", limit: 100) == nil)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hostname")
        #expect(images().image(named: "one", limit: 100) == nil)
        // A new image replaces the link, not its destination.
        try await images().store(file("b"), named: "one")
        #expect(images().image(named: "one", limit: 100)?.data == file("b").data)
    }

    @Test func `deletes files with a changed, missing, or extra byte`() async throws {
        let images = images()
        let whole = file("a", 90).encoded
        for position in whole.indices {
            var damaged = whole
            damaged[position] ^= 0x10
            try await expectDropped(damaged, images, "byte \(position)")
        }
        for count in 0..<whole.count { try await expectDropped(whole.prefix(count), images, "\(count) bytes") }
        try await expectDropped(whole + [0], images, "a byte more")
        // Swapped blocks have the same bytes and the same simple checksum.
        let blocks = ImageFile(data: Data((0..<96).map { UInt8($0) }), date: testNow).encoded
        try await expectDropped(blocks[32..<64] + blocks[..<32] + blocks[64...], images, "blocks in another order")
    }

    private func expectDropped(_ data: Data, _ images: ImageFolder, _ comment: Comment) async throws {
        try await images.store(file("x"), named: "one")
        let path = folder.file("one.image")
        let handle = try FileHandle(forWritingTo: path)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: data)
        try handle.close()
        #expect(images.image(named: "one", limit: 1000) == nil, comment)
        #expect(!folder.names.contains("one.image"), comment)
    }

    @Test func `doesn't read files above the image size limit`() async throws {
        let images = images()
        try await images.store(file("a", 101), named: "one")
        #expect(images.image(named: "one", limit: 100) == nil)
        #expect(images.image(named: "one", limit: 101) != nil)
    }

    @Test(arguments: 0..<8)
    func `matches a simple list after random operations and restarts`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 200...2000, using: &random)
        var images = images(limit: limit)
        // The most recently used image is at the end.
        var model: [(name: String, data: Data)] = []
        func bytes() -> Int { model.reduce(0) { $0 + $1.data.count + ImageFile.trailerLength } }
        for step in 0..<400 {
            let name = "\(Int.random(in: 0..<15, using: &random))"
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9:
                let image = images.image(named: name, limit: 1000)
                let place = model.firstIndex { $0.name == name }
                #expect(image?.data == place.map { model[$0].data }, "step \(step)")
                if let place { model.append(model.remove(at: place)) }
            case 9..<18:
                let data = Data(repeating: UInt8(step & 255), count: Int.random(in: 0...400, using: &random))
                try await images.store(ImageFile(data: data, date: testNow), named: name)
                guard data.count + ImageFile.trailerLength <= limit else { continue }
                model.removeAll { $0.name == name }
                model.append((name, data))
                if bytes() > limit { while bytes() > limit - limit / 8 { model.removeFirst() } }
            case 18:
                // Deleted externally, such as by a system that is low on storage.
                try? FileManager.default.removeItem(at: folder.file("\(name).image"))
                model.removeAll { $0.name == name }
            default: images = self.images(limit: limit)
            }
            #expect(bytes() <= limit)
        }
        #expect(Set(folder.names) == Set(model.map { "\($0.name).image" } + ["images-lock"]))
    }

    @Test func `evicts images when its limit is lowered`() async throws {
        let first = images(limit: 1000)
        for letter in "abcde" { try await first.store(file(letter), named: "\(letter)") }
        _ = first.image(named: "a", limit: 100)
        let second = images(limit: 400)
        try await second.store(file("f"), named: "f")
        #expect(folder.names == ["a.image", "e.image", "f.image", "images-lock"])
    }

    @Test func `deletes temporary files of killed writers, but not of active ones`() async throws {
        try await images().store(file("a"), named: "one")
        let left = folder.file("two-1.new")
        let underWay = folder.file("three-2.new")
        for file in [left, underWay] {
            #expect(FileManager.default.createFile(atPath: file.path(), contents: Data([1])))
        }
        let handle = try FileHandle(forWritingTo: underWay)
        defer { try? handle.close() }
        #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        try await images().store(file("b"), named: "four")
        #expect(folder.names == ["four.image", "images-lock", "one.image", "three-2.new"])
    }

    @Test func `doesn't delete foreign files`() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(count: 5000).write(to: folder.file("notes.txt"))
        let images = images(limit: 300)
        for letter in "abcde" { try await images.store(file(letter), named: "\(letter)") }
        #expect(folder.names.contains("notes.txt"))
    }

    @Test func `is recreated after it was deleted`() async throws {
        let images = images()
        try await images.store(file("a"), named: "one")
        try FileManager.default.removeItem(at: folder.url)
        await #expect(throws: StorageFailure.self) { try await images.store(file("b"), named: "two") }
        try await images.store(file("c"), named: "three")
        #expect(images.image(named: "three", limit: 100) != nil)
    }

    @Test func `throws if it can't be created`() async throws {
        let images = ImageFolder(URL(filePath: "/dev/null/images"), limit: 1000, now: time.now)
        await #expect(throws: StorageFailure(reason: .notWritable, file: "images")) {
            try await images.store(file("a"), named: "one")
        }
        #expect(images.image(named: "one", limit: 100) == nil)
    }

    @Test func `stays within its limit and an eighth with two users`() async throws {
        let both = [images(limit: 8000), images(limit: 8000)]
        for number in 0..<200 {
            let name = "\(number)"
            try await both[number % 2].store(file("x", 200), named: name)
            #expect(both[(number + 1) % 2].image(named: name, limit: 200) != nil)
            let bytes = folder.names.count { $0.hasSuffix(".image") } * (200 + ImageFile.trailerLength)
            #expect(bytes <= 9000 + 232)
        }
    }
}
