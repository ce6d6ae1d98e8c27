import BrowseKit
import BrowseMocks
import Export
import Foundation
import Testing

/// Compiles and runs the samples of the article about large lists.
@Suite(.timeLimit(.minutes(5)))
struct `The samples about exports` {
    private let container = Container.offline()
    private let folder = Folder()

    @Test func `export a list`() async throws {
        let file = folder.file("followers.jsonl")
        let login = GitHub.Login("octocat")
        let export = ListExport(container.exportSource(of: .followers(of: login)), to: .jsonLines(at: file))
        try await export.run { progress in print(progress.rowCount) }
        #expect(try folder.rows("followers.jsonl").count == 257)
    }

    @Test func `search beyond 1,000 results`() async throws {
        let file = folder.file("users.sqlite")
        let text = try GitHub.SearchText("language:swift")
        let search = ListExport(container.exportSource(matching: text), to: .sqlite(at: file))
        let end = try await search.run()
        for gap in end.gaps { print(gap.part, gap.missingCount.map(String.init) ?? "some") }
        #expect(end.isComplete)
    }

    @Test func `export a list of one's own`() async throws {
        let repository = container.characterRepository()
        let filter = RickAndMorty.CharacterFilter { $0.status = .alive }
        let source = ExportSource("Rick and Morty: alive", id: \.id.description) { cursor throws(BrowseError) in
            try await repository.page(of: filter, at: cursor)
        }
        let file = ExportFile.sqlite(at: folder.file("characters.sqlite"))
        #expect(try await ListExport(source, to: file).run().rowCount > 0)
    }
}
