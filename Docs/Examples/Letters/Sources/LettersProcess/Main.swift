import BrowseData
import BrowseCore
import Foundation
import Letters
import Synchronization

/// Sends requests with a stored session: `LettersProcess URL FOLDER NAME COUNT`.
///
/// The exit status is 0 if every request succeeded. By its clock, the first is sent at the reference date, and each other one
/// 1000 seconds after the previous one.
@main
struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let url = URL(string: arguments[1]), let count = Int(arguments[4]) else { exit(2) }
        var configuration = Configuration().with { $0.userAgent = arguments[3] }
        configuration.storageFolder = URL(filePath: arguments[2], directoryHint: .isDirectory)
        configuration.cacheByteLimit = 0
        configuration.letters.url = url
        configuration.letters.app = OAuthApp(clientID: "letters-app", scopes: ["read"])
        let time = Mutex(Date(timeIntervalSinceReferenceDate: 0))
        configuration.now = { time.withLock(\.self) }
        let container = Container(configuration, services: [LettersSettings.self])
        for _ in 0..<count {
            _ = try await container.lettersClient().send(.me)
            time.withLock { $0 += 1000 }
        }
    }
}
