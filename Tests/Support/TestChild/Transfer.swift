import BrowseGitHubData
import BrowseGitHubDomain
#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import Foundation

/// Sends one request, and prints the outcome and the growth of peak memory.
struct Transfer {
    private let transport: any HTTPTransport
    private let url: URL
    private let limit: Int

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 3, let name = TransportName(rawValue: arguments[0]),
            let url = URL(string: arguments[1]),
            let limit = Int(arguments[2])
        else { throw TestChild.WrongArguments() }
        transport = name.makeTransport()
        self.url = url
        self.limit = limit
    }

    func run() async throws {
        let client = HTTPClient(
            service: .gitHub(baseURL: url, userAgent: "BrowseKit-Tests"),
            transport: transport,
            options: .init { $0.limits = HTTPLimits(bodyBytes: limit) }
        )
        let users = RemoteGitHubRepository(client: client)
        guard let before = ProcessMemory.peak else { throw TestChild.WrongArguments() }
        do throws(BrowseError) {
            _ = try await users.profile(of: GitHub.Login("octocat"))
            TestChild.write("read")
        } catch .unusableResponse(.tooLarge(limit: limit), _) {
            TestChild.write("too large")
        } catch {
            TestChild.write("\(error)")
        }
        TestChild.write("\(((ProcessMemory.peak ?? before) - before) >> 20)")
    }
}
#endif
