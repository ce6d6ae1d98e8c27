import BrowseDomain
import BrowseKit
import BrowseMocks
import BrowseTerminal
import Synchronization

/// Keeps what a run writes.
final class Memory: Sendable {
    private let contents = Mutex("")

    var text: String { contents.withLock { $0 } }

    func sink(isTerminal: Bool = false, columns: Int = 80) -> Sink {
        Sink(isTerminal: isTerminal, columns: { columns }) { [self] text throws(Sink.Failure) in
            contents.withLock { $0 += text }
        }
    }
}

/// What a run of the tool left behind.
struct Run {
    var outcome: Outcome
    var output: String
    var errors: String

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

/// Runs the tool as `main` does, on the bundled data unless told otherwise.
func browse(
    _ arguments: String...,
    onTerminal isTerminal: Bool = false,
    columns: Int = 80,
    environment: [String: String] = [:],
    makeContainer: @escaping Surroundings.MakeContainer = Surroundings.container,
    decoder: PictureDecoder = PictureDecoder { _ in nil }
) async -> Run {
    let (output, errors) = (Memory(), Memory())
    let surroundings = Surroundings(
        environment: environment,
        output: output.sink(isTerminal: isTerminal, columns: columns),
        errors: errors.sink(),
        makeContainer: makeContainer,
        decoder: decoder
    )
    let outcome = await Tool.run(arguments, in: surroundings)
    return Run(outcome: outcome, output: output.text, errors: errors.text)
}

/// An SDK whose followers come from a repository of the test's.
func following(_ repository: some GitHub.FollowerRepository) -> Surroundings.MakeContainer {
    { configuration, _ in
        let container = Container(configuration)
        container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        container.followerRepository.override { _ in repository }
        return container
    }
}

/// An SDK whose profiles come from a repository of the test's.
func profiling(_ repository: some GitHub.UserRepository) -> Surroundings.MakeContainer {
    { configuration, _ in
        let container = Container(configuration)
        container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        container.userRepository.override { _ in repository }
        return container
    }
}

func user(_ id: Int64, _ login: String, page: String? = nil, kind: GitHub.User.Kind = .user) -> GitHub.User {
    GitHub.User(
        id: GitHub.User.ID(rawValue: id),
        login: GitHub.Login(login),
        webPage: page.map(WebAddress.init(rawValue:)),
        kind: kind
    )
}

/// Every character that a terminal obeys instead of showing, but for line breaks and tabs.
func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
        guard scalar != "\n", scalar != "\t" else { return false }
        return scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
    }
}
