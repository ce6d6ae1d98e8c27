import BrowseData
import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import Foundation

/// The input again and again, as the rows of a list after a readable one.
@Sendable func repeatedRows(_ input: [UInt8]) {
    guard !input.isEmpty else { return }
    var body = Array(#"[{"id":1,"login":"a"}"#.utf8)
    for _ in 0..<(2_000_000 / (input.count + 1)) { body += [UInt8(ascii: ",")] + input }
    body.append(UInt8(ascii: "]"))
    let response = Response(body)
    let client = HTTPClient(
        service: .gitHub(baseURL: URL(fixed: "https://api.example"), userAgent: "BrowseKit-Fuzz"),
        transport: ResponseTransport(response),
        options: .init { $0.now = { now } }
    )
    let seconds = threadSeconds {
        InlineExecutor.run {
            let followers = RemoteGitHubRepository(client: client)
            let list = GitHub.FollowList.followers(of: GitHub.Login("a"))
            check(await outcome { () async throws(BrowseError) in try await followers.page(of: list, at: nil) }) {
                page in
                check(page, of: response)
            }
        }
    }
    require(seconds < 2, "2 MB take \(seconds) s")
}

/// Returns the CPU time of a closure on this thread, which doesn't depend on the load of the machine.
private func threadSeconds(_ work: () -> Void) -> Double {
    func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    let start = seconds()
    work()
    return seconds() - start
}
