// Another process that keeps favourites, for tests that kill it or write beside it.
//
// FavoriteWriter FOLDER FIRST COUNT TASKS: adds users of the numbers from FIRST on, shared among so many tasks, and writes
// each number to its output when the call has returned. A failure goes there too, and ends it with 1.
import BrowseData
import BrowseDomain
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 5, let first = Int64(arguments[2]), let count = Int64(arguments[3]),
    let tasks = Int64(arguments[4])
else {
    FileHandle.standardError.write(Data("usage: FavoriteWriter FOLDER FIRST COUNT TASKS\n".utf8))
    exit(2)
}
let favorites = SQLiteFavoriteRepository(folder: URL(filePath: arguments[1], directoryHint: .isDirectory))

func add(_ number: Int64) async throws(BrowseError) {
    let user = GitHub.User(id: GitHub.User.ID(rawValue: number), login: GitHub.Login("user-\(number)"))
    guard try await favorites.add(.user(user)) else { return }
    FileHandle.standardOutput.write(Data("\(number)\n".utf8))
}

let failure = await withTaskGroup(of: BrowseError?.self) { group in
    for task in 0..<tasks {
        group.addTask {
            do throws(BrowseError) {
                for number in stride(from: first + task, to: first + count, by: Int(tasks)) { try await add(number) }
                return nil
            } catch {
                return error
            }
        }
    }
    var failure: BrowseError?
    for await outcome in group { failure = failure ?? outcome }
    return failure
}
if let failure {
    FileHandle.standardOutput.write(Data("failed: \(failure)\n".utf8))
    exit(1)
}
