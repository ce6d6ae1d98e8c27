import ArgumentParser
import BrowseData
import BrowseKit
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
        The file's extension selects the format: .jsonl, .csv, or .sqlite. An export that is stopped, even by a crash, continues \
        with --resume. It waits for rate limits, and leaves a tenth of them, at most 500 requests, to other commands.
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
        guard ["jsonl", "csv", "sqlite"].contains(url.pathExtension) else {
            throw ValidationError("--to requires a file that ends in .jsonl, .csv, or .sqlite.")
        }
        guard !resume || !again else { throw ValidationError("Don't combine --resume with --again.") }
    }

    private var url: URL { URL(filePath: to, directoryHint: .notDirectory) }

    private var sink: SweepFile<GitHub.User> {
        switch url.pathExtension {
        case "csv":
            .csv(
                at: url,
                columns: [
                    "login": { $0.login.rawValue }, "id": { "\($0.id.rawValue)" }, "kind": { $0.kind.rawValue },
                    "page": { $0.webPage?.rawValue },
                ]
            )
        case "sqlite": .sqlite(at: url)
        default: .jsonLines(at: url)
        }
    }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        guard let login = session.login(name) else { return .usage }
        guard resume || again || !FileManager.default.fileExists(atPath: to) else {
            session.printError(session.texts(.exportExists(to)))
            return .usage
        }
        let list: GitHub.FollowList = list == .followers ? .followers(of: login) : .following(by: login)
        let container = session.container
        let sweep = container.sweep(container.sweepSource(of: list), into: sink)
        return try await session.run(sweep, again: again)
    }
}

extension Session {
    /// Runs a sweep with a progress bar, and writes the number of rows.
    fileprivate func run(_ sweep: Sweep<GitHub.User>, again: Bool) async throws(Sink.Failure) -> Outcome {
        let bar = Progress(errors, canErase: canErase)
        var last: SweepProgress?
        do throws(SweepError) {
            try await sweep.run(again: again) { progress in
                last = progress
                bar.show(line(for: progress))
            }
        } catch {
            bar.clear()
            let count = last?.rowCount ?? 0
            if error == .failed(.cancelled) {
                printNote(texts(.exportStopped(count)))
                return interruption ?? .failure
            }
            let message = container.texts().about(.gitHub).message(for: error)
            let outcome = report(message, hint: hint(for: message))
            switch error {
            case .failed where count > 0: printNote(texts(.exportStopped(count)))
            case .cursorRefused: printNote(texts(.exportAgain))
            default: break
            }
            return outcome
        }
        bar.clear()
        try write(last)
        return .success
    }

    private func write(_ progress: SweepProgress?) throws(Sink.Failure) {
        guard let progress else { return }
        if progress.skippedCount > 0 { printNote(texts(.skipped(progress.skippedCount))) }
        let json = JSON.object(["rows": JSON(progress.rowCount), "pages": JSON(progress.pageCount)])
        try output.print([isJSON ? Line(json) : Line(texts(.exported(progress.rowCount)))])
    }

    /// Returns a bar with the fraction, the rows, the rate, and the remaining time.
    private func line(for progress: SweepProgress) -> String {
        let texts = container.texts()
        var parts = [texts(.loading(progress.rowCount, .things))]
        if let fraction = progress.fraction {
            let width = 20
            let filled = Int(fraction * Double(width))
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
            parts.insert("\(bar) \(Int(fraction * 100))%", at: 0)
        }
        if let detail = texts.detail(of: progress) { parts.append(detail) }
        return parts.joined(separator: "  ")
    }
}
