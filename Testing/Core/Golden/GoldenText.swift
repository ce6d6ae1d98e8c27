public import Foundation
public import Testing

/// Compares a text with a file, and records an issue with the differing lines.
///
/// ```swift
/// let recorder = StateRecorder(of: model)
/// await model.show()
/// expectGolden(recorder.transcript, "favorites.txt")
/// ```
///
/// If the file doesn't exist, the issue says how to record it. Set the environment variable
/// `RECORD_GOLDEN=1` to write missing and differing files: next to the test's source file if they
/// are there, otherwise in its `Fixtures` folder. A recording is an issue too, so that a test that
/// compares nothing doesn't pass.
///
/// Line endings and a newline at the end of the file don't count. Each test, and each case of a
/// parameterized test, needs its own name.
///
/// - Parameters:
///   - text: The text.
///   - name: The name of the file.
///   - bundle: The bundle with the file, at its root or in its `Fixtures` folder; `nil` for the
///     folder of the test's source file and the `Fixtures` folder in it. Tests on devices need a
///     bundle.
///   - isRecording: Whether to write the file; by default, if the environment variable is `1`,
///     `true`, or `yes`.
///   - filePath: The test's source file.
///   - sourceLocation: The location of issues.
public func expectGolden(
    _ text: String,
    _ name: String,
    in bundle: Bundle? = nil,
    isRecording: Bool = ["1", "true", "yes"].contains(ProcessInfo.processInfo.environment["RECORD_GOLDEN"]),
    filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let file = TestFile.url(of: name, in: bundle, filePath: filePath)
    let golden: String?
    do {
        golden = TestFile.exists(file) ? try GoldenText.read(file) : nil
    } catch {
        Issue.record("\(file.path(percentEncoded: false)) isn't readable as UTF-8.", sourceLocation: sourceLocation)
        return
    }
    let text = GoldenText.normalized(text)
    guard golden != text else { return }
    if isRecording {
        GoldenText.record(text, name, in: bundle, filePath: filePath, sourceLocation: sourceLocation)
        return
    }
    let hint = "run the test with the environment variable RECORD_GOLDEN=1"
    guard let golden else {
        let places = TestFile.places(of: name, in: bundle, filePath: filePath).map { $0.path(percentEncoded: false) }
        let report = """
            There is no golden file \(name) at \(places.joined(separator: " or ")). To record it, \(hint), \
            read the file, and commit it. The text is:
            \(TextDifference.shortened(GoldenText.lines(of: text)).joined(separator: "\n"))
            """
        Issue.record(Comment(rawValue: report), sourceLocation: sourceLocation)
        return
    }
    let report = """
        The text differs from \(name) (- file, + text):
        \(TextDifference(from: GoldenText.lines(of: golden), to: GoldenText.lines(of: text)))
        If it's right, \(hint) to replace the file.
        """
    Issue.record(Comment(rawValue: report), sourceLocation: sourceLocation)
}

/// Reads, compares, and writes the texts of golden files.
enum GoldenText {
    static func read(_ file: URL) throws -> String {
        normalized(try String(contentsOf: file, encoding: .utf8))
    }

    /// The text with `\n` as line ending, and one of them at the end.
    static func normalized(_ text: String) -> String {
        // By scalars, because `\r\n` is one character.
        var scalars = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            if scalar != "\n" || !isAfterReturn { scalars.append(scalar == "\r" ? "\n" : scalar) }
            isAfterReturn = scalar == "\r"
        }
        let text = String(scalars)
        return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    }

    static func lines(of text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.last == "" ? lines.dropLast() : lines
    }

    static func record(
        _ text: String,
        _ name: String,
        in bundle: Bundle?,
        filePath: String,
        sourceLocation: SourceLocation
    ) {
        let file = TestFile.writableURL(of: name, filePath: filePath)
        let path = file.path(percentEncoded: false)
        do {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
            let next = bundle == nil ? "Read it" : "Read it, make sure that it's a resource of the test target"
            let report = "Recorded \(path). \(next), and run the test again without recording."
            Issue.record(Comment(rawValue: report), sourceLocation: sourceLocation)
        } catch {
            Issue.record("\(path) couldn't be written: \(error)", sourceLocation: sourceLocation)
        }
    }
}
