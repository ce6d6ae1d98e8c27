import BrowseGitHubData
#if os(macOS) || os(Linux)
import BrowseData
import BrowseMocks
import BrowseDomain
import Foundation

/// Signs out of a session that another process uses too.
struct SignOut {
    private let tokens: StoredTokenRepository

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 3, let url = URL(string: arguments[1]) else { throw TestChild.WrongArguments() }
        let responses = ResponseCache(
            folder: URL(filePath: arguments[2], directoryHint: .isDirectory),
            clock: ImmediateClock()
        )
        tokens = StoredTokenRepository(
            store: FileTokenStore(
                folder: URL(filePath: arguments[0], directoryHint: .isDirectory),
                name: SessionName("GitHub", at: url)
            ),
            eraseResponses: { await responses.removeAll(of: $0, at: url) }
        )
    }

    func run() async throws {
        guard try await tokens.current() != nil else { return TestChild.write("no session") }
        try await tokens.end()
        TestChild.write("signed out")
    }
}
#endif
