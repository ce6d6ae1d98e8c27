import BrowseGitHubDomain
#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import Foundation

/// Adds favorites, and prints each number when the call has returned.
struct FavoriteWriter {
    private let favorites: SQLiteFavoriteRepository
    private let numbers: Range<Int64>
    private let tasks: Int64

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 4, let first = Int64(arguments[1]), let count = Int64(arguments[2]),
            let tasks = Int64(arguments[3]), count >= 0, tasks > 0
        else { throw TestChild.WrongArguments() }
        favorites = SQLiteFavoriteRepository(folder: URL(filePath: arguments[0], directoryHint: .isDirectory))
        numbers = first..<(first + count)
        self.tasks = tasks
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in numbers where (number - numbers.lowerBound) % tasks == task { try await add(number) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func add(_ number: Int64) async throws {
        let user = GitHub.User(id: GitHub.User.ID(rawValue: number), login: GitHub.Login("user-\(number)"))
        if try await favorites.add(Favorite(user)) { TestChild.write("\(number)") }
    }
}
#endif
