#if os(macOS) || os(Linux)
import BrowseData
import Foundation

/// Opens favorites, and ends at a given time.
struct FavoriteReader {
    private let favorites: SQLiteFavoriteRepository
    private let microseconds: UInt32

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 2, let microseconds = UInt32(arguments[1]), 1..<1_000_000 ~= microseconds else {
            throw TestChild.WrongArguments()
        }
        favorites = SQLiteFavoriteRepository(folder: URL(filePath: arguments[0], directoryHint: .isDirectory))
        self.microseconds = microseconds
    }

    func run() async throws {
        // Ends the process like SIGKILL, because nothing handles the signal, but at a more exact time.
        _ = ualarm(microseconds, 0)
        let count = try await favorites.ids().count
        TestChild.write("\(count)")
    }
}
#endif
