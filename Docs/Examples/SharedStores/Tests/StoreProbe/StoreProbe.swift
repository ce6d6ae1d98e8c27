import BrowseData
import BrowseKit
import Crypto
import Foundation
import RedisStores

/// A server process of the tests: reads commands from its input, and prints what its visitors see.
///
/// `StoreProbe REDIS GITHUB SECRET FOLDER`: the addresses of both, the secret of tokens in base64, and a folder for caches.
@main
struct StoreProbe {
    /// The longest wait for Redis, which suits a busy machine.
    private static let longestWait = Duration.seconds(60)

    private let redis: RedisStores
    private let gitHub: URL
    private let folder: URL

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let address = try? RedisAddress(arguments[1]),
            let gitHub = URL(string: arguments[2]),
            let secret = Data(base64Encoded: arguments[3])
        else { return say("wrong arguments") }

        let probe = StoreProbe(
            redis: RedisStores(
                durable: RedisClient(address, timeout: longestWait),
                secret: SymmetricKey(data: secret)
            ),
            gitHub: gitHub,
            folder: URL(filePath: arguments[4], directoryHint: .isDirectory)
        )
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        let site = probe.site()
        var visitors: [String: ProbeVisitor] = [:]
        say("ready")
        for await line in lines {
            let words = line.split(separator: " ").map(String.init)
            guard words.count >= 2 else { continue }
            if words[0] == "visits" {
                await probe.visit(words)
                continue
            }
            let visitor =
                visitors[words[1]] ?? ProbeVisitor(words[1], probe.container(of: words[1], in: site))
            visitors[words[1]] = visitor
            await visitor.run(words[0], Array(words.dropFirst(2)))
        }
    }

    /// Creates the container that visitors share.
    private func site() -> Container {
        var configuration = Configuration().with { $0.storageFolder = folder }
        configuration.gitHub.url = gitHub
        configuration.gitHub.webURL = gitHub
        configuration.gitHub.app = OAuthApp.gitHub(clientID: "probe", clientSecret: try? Secret("client-secret"))
        return Container(configuration)
    }

    /// Creates the container of a visitor.
    private func container(of visitor: String, in site: Container) -> Container {
        let container = site.container(
            for: UserStores(favorites: redis.favorites(of: visitor), folder: folder) { [redis] session in
                redis.tokens(of: visitor, session: session)
            }
        )
        return container
    }

    /// `visits FIRST LAST PAGES`: each visitor loads one of some profiles at the same time.
    private func visit(_ words: [String]) async {
        guard words.count == 4, let first = Int(words[1]), let last = Int(words[2]), let pages = Int(words[3]) else {
            return
        }
        let site = site()
        let outcomes = await withTaskGroup { group in
            for number in first..<last {
                group.addTask {
                    let container = container(of: "\(number)", in: site)
                    let options = LoadOptions(source: .networkElseCache)
                    do throws(BrowseError) {
                        let users = container.userRepository()
                        let login = GitHub.Login("user-\(number % pages)")
                        let loaded = try await options.load { () throws(BrowseError) in
                            try await users.profile(of: login)
                        }
                        return "\(loaded.provenance)".prefix { $0 != "(" }.description
                    } catch .rateLimited {
                        return "rateLimited"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        say("visits", outcomes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
    }
}

/// Prints a line at once; a pipe is buffered otherwise.
func say(_ words: Any...) {
    let line = words.map { "\($0)" }.joined(separator: " ") + "\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}
