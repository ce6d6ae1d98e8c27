import ArgumentParser
import BrowseKit
import Export
import Foundation

/// `browse export LIST NAME --to FILE`
struct ExportCommand: ScreenCommand {
    /// A list that can be exported.
    enum List: String, ExpressibleByArgument, CaseIterable, Sendable {
        case followers, following
    }

    static let configuration: CommandConfiguration = .command(
        "export",
        "Write a whole list to a file.",
        """
        The file's extension selects the format: .jsonl or .sqlite. An export that is stopped, even by a crash, continues with \
        --resume. It waits for rate limits.
        """
    )

    @Argument(help: "The list.")
    var list: List
    @OptionGroup var name: NameArgument
    @Option(help: ArgumentHelp("The file.", valueName: "file"))
    var to: String
    @Flag(help: "Continue the export in an existing file.")
    var resume: Bool = false
    @Flag(help: "With an existing file: start at the first page again, and add the rows that were missed.")
    var again: Bool = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try common.requireServer()
        guard ["jsonl", "sqlite"].contains(url.pathExtension) else {
            throw ValidationError("--to requires a file that ends in .jsonl or .sqlite.")
        }
        guard !resume || !again else { throw ValidationError("Don't combine --resume with --again.") }
    }

    private var url: URL { URL(filePath: to, directoryHint: .notDirectory) }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let login = session.login(name) else { return .usage }
        // A killed export of lines leaves only the file with its position.
        let files = url.pathExtension == "jsonl" ? [to, to + ".sqlite"] : [to]
        if !resume, !again, let file = files.first(where: { FileManager.default.fileExists(atPath: $0) }) {
            session.printError(session.texts(.exportExists(file)))
            return .usage
        }
        let container = session.container
        let source = container.exportSource(of: list == .followers ? .followers(of: login) : .following(by: login))
        let file: ExportFile = url.pathExtension == "sqlite" ? .sqlite(at: url) : .jsonLines(at: url)
        let (now, clock) = (container.configuration.now, container.configuration.clock)
        return try await session.run(ListExport(source, to: file, now: now, clock: clock), again: again)
    }
}

extension Session {
    /// Runs an export with a progress line, and writes the number of rows.
    fileprivate func run(_ export: ListExport<GitHub.User>, again: Bool) async throws(Sink.Failure) -> Outcome {
        let line = Progress(errors, canErase: canErase)
        let rows = ExportedRows()
        let result: Result<ExportProgress, ExportError>
        do throws(ExportError) {
            result = .success(
                try await export.run(again: again) { @MainActor progress in
                    rows.count = progress.rowCount
                    line.show(texts(phrase(for: progress)))
                }
            )
        } catch {
            result = .failure(error)
        }
        line.clear()
        switch result {
        case .success(let progress):
            if progress.skippedCount > 0 { printNote(texts(.skipped(progress.skippedCount))) }
            let hasGap = !progress.gaps.isEmpty
            let json = JSON.object([
                "rows": JSON(progress.rowCount), "pages": JSON(progress.pageCount), "incomplete": .flag(hasGap),
            ])
            try output.print([isJSON ? Line(json) : Line(texts(.exported(progress.rowCount)))])
            guard hasGap else { return .success }
            printError(texts(.exportIncomplete))
            return .server
        case .failure(let error):
            return report(error, after: rows.count)
        }
    }

    private func phrase(for progress: ExportProgress) -> Phrase {
        guard let end = progress.waitsUntil else { return .loading(progress.rowCount, .things) }
        // Stays true during the wait, unlike a number of minutes.
        return .exportWaits(until: container.texts().formats.time(end.roundedUpToMinute))
    }

    private func report(_ error: ExportError, after count: Int) -> Outcome {
        switch error {
        case .failed(.cancelled):
            printNote(texts(.exportStopped(count)))
            return interruption ?? .failure
        case .failed(let error):
            let outcome = report(error)
            if count > 0 { printNote(texts(.exportStopped(count))) }
            return outcome
        case .positionRefused, .repeatsItself:
            printError(texts(.exportAgain))
            return .server
        case .otherList(let list, _): printError(texts(.exportOther(list)))
        case .foreignFile(let name): printError(texts(.exportForeign(name)))
        case .inUse(let name): printError(texts(.exportInUse(name)))
        }
        return .storage
    }
}

/// The number of rows so far, also of an export that fails.
@MainActor
private final class ExportedRows {
    var count = 0
}
