import BrowseGitHubData
import BrowseGitHubDomain
#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import Foundation

/// Stores alternately long and short credentials, and prints a line when each call has returned.
struct TokenWriter {
    private let store: FileTokenStore

    init(_ arguments: ArraySlice<String>) throws {
        guard arguments.count == 1, let folder = arguments.first else { throw TestChild.WrongArguments() }
        guard let server = URL(string: "https://api.github.com") else { throw TestChild.WrongArguments() }
        store = FileTokenStore(
            folder: URL(filePath: folder, directoryHint: .isDirectory),
            name: SessionName("GitHub", at: server)
        )
    }

    func run() async throws {
        for number in 0... {
            let letter = number.isMultiple(of: 2) ? "a" : "b"
            let token = try Secret(String(repeating: letter, count: number.isMultiple(of: 2) ? 8000 : 10))
            try await store.save(Credentials(token: token, refreshToken: token))
            TestChild.write("\(number)")
        }
    }
}
#endif
