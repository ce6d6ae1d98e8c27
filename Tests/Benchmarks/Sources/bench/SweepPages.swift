import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import Foundation

/// A list of 1,000,000 followers, without a network.
struct SweepPages: HTTPTransport {
    private static let pageCount = 10_000

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        let page = request.url.query()?.split(separator: "&").first { $0.hasPrefix("page=") }
        let number = page.flatMap { Int($0.dropFirst(5)) } ?? 1
        let next = "https://api.github.com/user/1/followers?per_page=100&page="
        let link = "<\(next)\(number + 1)>; rel=\"next\", <\(next)\(Self.pageCount)>; rel=\"last\""
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "application/json", "ETag": "\"\(number)\"",
                "Link": number < Self.pageCount ? link : "",
            ],
            body: Self.body(number),
            url: request.url
        )
    }

    private static func body(_ number: Int) -> Data {
        let rows = ((number - 1) * 100..<number * 100).map { id in
            """
            {"login":"user-\(id)","id":\(id),"avatar_url":"https://avatars.githubusercontent.com/u/\(id)?v=4",\
            "html_url":"https://github.com/user-\(id)","type":"User","site_admin":false}
            """
        }
        return Data("[\(rows.joined(separator: ","))]".utf8)
    }

    /// Returns the peak of the memory in bytes above its start, while the list is exported.
    static func growth(_ url: URL) async throws -> Int {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sweep-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = Container(Configuration(storageFolder: folder))
        container.transport.override { _ in SweepPages() }
        let file = SweepFile<GitHub.User>.jsonLines(at: folder.appending(path: "followers.jsonl"))
        let sweep = container.sweep(container.sweepSource(of: .followers(of: GitHub.Login("mona"))), into: file)
        return try await peak {
            let end = try await sweep.run()
            guard end.rowCount == 1_000_000 else {
                throw BenchFailure("\(end.rowCount) rows")
            }
        }
    }

    /// Returns the peak while the pages are created and decoded only.
    static func bareGrowth(_ url: URL) async throws -> Int {
        struct User: Decodable {
            let id: Int
            let login: String
        }
        return try await peak {
            for number in 1...pageCount { keep(try JSONDecoder().decode([User].self, from: body(number))) }
        }
    }

    private static func peak(_ work: () async throws -> Void) async throws -> Int {
        let before = residentBytes(isTrimmed: true)
        resetPeakMemory()
        try await work()
        return peakResidentBytes() - before
    }
}
