import BrowseDomain
import BrowseMocks
import Dispatch
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// The rows of the cache's file, with two connections, as in two processes.
@Suite(.bounded)
struct `A file of cached responses` {
    private let folder = TemporaryFolder()

    private func store() -> CacheFile {
        CacheFile(
            folder: folder.url,
            byteLimit: 1 << 20,
            memory: CacheMemory(),
            now: { .now },
            clock: TestClock(),
            lockTimeout: .seconds(60)
        )
    }

    private var database: Database { get throws { try Database(folder.file("responses.sqlite")) } }

    @discardableResult
    private func commit(_ body: Data, _ etag: String = "1", to path: String, in store: CacheFile) throws -> CacheKey {
        let request = HTTPRequest.sample(path, account: "mona")
        let key = try #require(CacheKey(request))
        let headers: HTTPHeaders = ["ETag": "\"\(etag)\""]
        let response = HTTPResponse(status: 200, headers: headers, body: body, url: request.url)
        let variant = try #require(VaryKey(of: request, varyingBy: headers))
        #expect(store.commit(response, under: key, variant, generation: 0) != nil, "\(path)")
        return key
    }

    private func body(at path: String, in store: CacheFile) throws -> String? {
        let request = HTTPRequest.sample(path, account: "mona")
        var body: Data?
        store.response(for: try #require(CacheKey(request)), request) { body = $0?.body }
        return body.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [HTTPHeaders(), ["Link": "<b>"]])
    func `keeps a version that another process stores while the one before is confirmed`(
        fields: HTTPHeaders
    ) throws {
        let (here, there) = (store(), store())
        try commit(Data("other".utf8), to: "/other", in: here)
        let key = try commit(Data("old".utf8), to: "/a", in: here)
        try database.run("UPDATE responses SET date = 0")
        let validator = try #require(here.validator(for: key, .sample("/a", account: "mona")))
        var answers: [String?] = []
        // The answer is passed on between the read and the write.
        here.confirm(validator, by: fields) { response in
            answers.append(response.map { String(decoding: $0.body, as: UTF8.self) })
            #expect(throws: Never.self) { try commit(Data("new".utf8), "2", to: "/a", in: there) }
        }
        #expect(answers == ["old"])
        for store in [here, there, store()] {
            #expect(try body(at: "/a", in: store) == "new")
            #expect(try body(at: "/other", in: store) == "other")
            #expect(store.validator(for: key, .sample("/a", account: "mona"))?.etag == "\"2\"")
        }
    }

    #if os(macOS) || os(Linux)
    @Test func `keeps a version that a process stores while the one before is confirmed`() async throws {
        let path = folder.url.path(percentEncoded: false)
        // The first response of this seed.
        let scratch = TemporaryFolder()
        let sample = try ChildProcess("responses", scratch.url.path(percentEncoded: false), "1")
        let words = try #require(await sample.killed(afterLines: 1).first).split(separator: " ")
        var request = HTTPRequest.sample(String(words[0]))
        request.url = try #require(URL(string: "https://api.github.com\(words[0])"))
        request.headers["Accept"] = "application/vnd.github+json"
        let written = request
        let (other, body, etag) = try await onThread { [self] in
            let here = store()
            try commit(Data("other".utf8), to: "/other", in: here)
            let headers: HTTPHeaders = ["ETag": "\"old\""]
            let response = HTTPResponse(status: 200, headers: headers, body: Data("old".utf8), url: written.url)
            let key = try #require(CacheKey(written))
            let variant = try #require(VaryKey(of: written, varyingBy: headers))
            _ = here.commit(response, under: key, variant, generation: 0)
            let validator = try #require(here.validator(for: key, written))
            here.confirm(validator, by: ["Link": "<b>"]) { _ in
                let isStored = DispatchSemaphore(value: 0)
                Task {
                    _ = try? await ChildProcess("responses", path, "1").killed(afterLines: 1)
                    isStored.signal()
                }
                isStored.wait()
            }
            var body: Data?
            store().response(for: key, written) { body = $0?.body }
            return (try self.body(at: "/other", in: here), body, store().validator(for: key, written)?.etag)
        }
        #expect(other == "other")
        #expect(etag == "\"\(words[1])\"")
        let item = try JSONDecoder().decode(FaultItem.self, from: try #require(body))
        #expect(item.isConsistent && item.version == Int(words[1]))
    }

    /// Runs work that blocks on a thread of its own.
    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "ResponseStoreTests").async { continuation.resume(with: Result { try work() }) }
        }
    }
    #endif

    @Test func `loses only a damaged row`() throws {
        let store = store()
        for path in ["/a", "/b"] { try commit(Data(path.utf8), to: path, in: store) }
        try database.run("UPDATE bodies SET body = x'00' WHERE id = 1")
        #expect(try body(at: "/a", in: store) == nil)
        #expect(try body(at: "/b", in: store) == "/b")
        #expect(store.size.count == 1)
        try commit(Data("new".utf8), to: "/a", in: store)
        #expect(try body(at: "/a", in: store) == "new")
    }

    @Test(arguments: ["-5000000000000000000", "9223372036854775807", "0", "'text'", "1e300"])
    func `evicts and erases rows with impossible sizes`(size: String) throws {
        let store = store()
        for number in 0..<4 { try commit(Data(count: 100_000), to: "/\(number)", in: store) }
        try database.run("UPDATE responses SET size = \(size) WHERE id > 1")
        #expect(store.size.bytes >= 0)
        // Rows with impossible sizes leave before those that were used longer ago.
        for number in 4..<7 { try commit(Data(count: 100_000), to: "/\(number)", in: store) }
        #expect(try body(at: "/0", in: store) != nil)
        #expect(try body(at: "/1", in: store) == nil)
        try database.run("UPDATE responses SET size = \(size)")
        for number in 10..<30 { try commit(Data(count: 100_000), to: "/\(number)", in: store) }
        try database.run("UPDATE responses SET size = \(size)")
        #expect(store.erase(.account("mona")))
        #expect(store.size.count == 0)
        #expect(try folder.byteCount(but: "-shm") <= 1 << 20)
    }

    @Test(arguments: [28, 36]) func `accepts any number of pages in a damaged header`(offset: UInt64) throws {
        let path = folder.file("responses.sqlite")
        for number: UInt32 in [.max, 0x8000_0000, 0x7FFF_FFFF] {
            do {
                let store = store()
                for number in 0..<4 { try commit(Data(count: 100_000), to: "/\(number)", in: store) }
            }
            let handle = try FileHandle(forWritingTo: path)
            try handle.seek(toOffset: offset)
            try withUnsafeBytes(of: number.bigEndian) { try handle.write(contentsOf: $0) }
            try handle.close()
            let store = store()
            for number in 10..<30 { try commit(Data(count: 100_000), to: "/\(number)", in: store) }
            store.discard()
        }
    }
}
