import Foundation
import ServerStores
import Testing

@Suite struct `The folders of visitors` {
    @Test func `are deleted when they expire, except one that can't be`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "visitors-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let ids = FileVisitorIDs(folder: folder)
        let names = (0..<21).map { "visitor-\($0)" }
        for name in names { #expect(try await ids.replace("a", by: "b", of: name)) }
        // Not even root can delete a file whose path is too long, which only a move makes.
        let long = String(repeating: String(repeating: "a", count: 99) + "/", count: Int(PATH_MAX) / 160)
        let (outer, inner) = (folder.appending(path: names[10]).appending(path: long), folder.appending(path: "inner"))
        try FileManager.default.createDirectory(at: outer, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: inner.appending(path: long), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: inner, to: outer.appending(path: "inner"))
        defer { try? FileManager.default.moveItem(at: outer.appending(path: "inner"), to: inner) }
        for name in names {
            let path = folder.appending(path: name).path(percentEncoded: false)
            let date = Date(timeIntervalSinceNow: -33 * 86_400)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        await ids.deleteExpired()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) == [names[10]])
    }

    @Test func `fail in time on a disk that hangs, and a replacement can be repeated`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "visitors-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let ids = FileVisitorIDs(folder: folder)
        for _ in 0..<2 { #expect(try await ids.replace("a", by: "b", of: "first")) }
        #expect(try await !ids.replace("a", by: "c", of: "first"))
        // Reading a pipe waits for a writer.
        let second = folder.appending(path: "second")
        try FileManager.default.createDirectory(at: second, withIntermediateDirectories: true)
        let pipe = second.appending(path: "id").path(percentEncoded: false)
        #expect(mkfifo(pipe, 0o600) == 0)
        await #expect(throws: (any Error).self) {
            try await FileVisitorIDs(folder: folder, patience: .milliseconds(10)).current(of: "second")
        }
        close(open(pipe, O_RDWR))
        #expect(try await ids.current(of: "first") == "b")
    }
}
