import BrowseGitHubData
import BrowseGitHubDomain
#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import Foundation
import Synchronization

/// Sends requests with a stored session that other processes also refresh.
///
/// Prints `start` after reading the stored session, `ok` or `failed: …` for each request, and finally `signed in` or
/// `signed out: …` with the reason.
struct SharedSession {
    private let client: HTTPClient
    private let tokens: StoredTokenRepository
    private let count: Int

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 4, let url = URL(string: arguments[1]), let count = Int(arguments[3]) else {
            throw TestChild.WrongArguments()
        }
        self.count = count
        let transport = TestTransport.make()
        // A request of the test never takes too long, however busy the machine is.
        let limits = HTTPLimits(duration: .seconds(100_000))
        // Each reading is 15 seconds later, so that some tokens expire, and none is so new that it's given time.
        let time = Mutex(Date())
        let now = { @Sendable in
            time.withLock { time in
                time += 15
                return time
            }
        }
        // The user agent identifies the process to the server.
        let web = HTTPClient(
            service: .gitHubWeb(url: url, userAgent: arguments[2]),
            transport: transport,
            options: .init {
                $0.limits = limits
                $0.now = now
            }
        )
        let service = HTTPClient.Service.gitHub(baseURL: url, userAgent: arguments[2])
        tokens = StoredTokenRepository(
            store: FileTokenStore(
                folder: URL(filePath: arguments[0], directoryHint: .isDirectory),
                name: SessionName("GitHub", at: url)
            ),
            authorization: OAuthServer.gitHubRepository(
                app: OAuthApp.gitHub(clientID: "app"),
                url: url,
                web: web,
                api: HTTPClient(service: service, transport: transport, options: .init { $0.limits = limits })
            ),
            refreshLockTimeout: limits.duration,
            now: now
        )
        let authorization = Authorization(tokens: tokens)
        client = HTTPClient(
            service: service,
            transport: transport,
            middleware: [RequestAccount(for: url, tokens: tokens), TokenRenewal(for: authorization), authorization],
            options: .init { $0.limits = limits }
        )
    }

    func run() async throws {
        let events = tokens.events
        guard try await tokens.current() != nil else { return TestChild.write("signed out: before") }
        TestChild.write("start")
        for _ in 0..<count {
            do throws(BrowseError) {
                _ = try await client.send(Endpoint(.path("/user")) { $0.body.count })
                TestChild.write("ok")
            } catch {
                TestChild.write("failed: \(error)")
            }
        }
        guard try await tokens.current() == nil else { return TestChild.write("signed in") }
        for await event in events {
            switch event {
            case .ended(_, .requested): return TestChild.write("signed out: elsewhere")
            case .ended: return TestChild.write("signed out: revoked")
            case .restored: break
            }
        }
    }
}
#endif
