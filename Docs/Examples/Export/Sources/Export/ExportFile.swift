public import Foundation

/// The file of an export, which only its owner can read.
public struct ExportFile: Hashable, Sendable {
    /// The file.
    public let url: URL
    /// The SQLite file with the rows and the position.
    let database: URL

    /// Whether the rows are written as lines to ``url``.
    var hasLines: Bool { url != database }

    /// Returns a SQLite file with the table `rows`: the number in order of delivery, `id`, and `json`.
    public static func sqlite(at url: URL) -> ExportFile { ExportFile(url: url, database: url) }

    /// Returns a file with a JSON object in each line (jsonlines.org).
    ///
    /// It's replaced when a run ends or fails. Beside it, `NAME.sqlite` has the rows and the position; delete it when you no longer want to resume.
    public static func jsonLines(at url: URL) -> ExportFile {
        ExportFile(url: url, database: url.appendingPathExtension("sqlite"))
    }
}
