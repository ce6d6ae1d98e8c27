import Foundation
import Synchronization

/// A place in a test's source.
package struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    package let fileID: String
    package let filePath: String
    package let line: Int
    package let column: Int

    package init(fileID: String, filePath: String, line: Int, column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// The file's name and the line.
    package var description: String { "\(fileID.split(separator: "/").last ?? ""):\(line)" }
}

/// Connects the mocks of one test with the trait that reports their misuse.
///
/// BrowseCoreMocks doesn't import Testing, so that apps and previews can use it; BrowseCoreTesting sets the scope.
package final class TestScope: Sendable {
    /// The scope of the current test; `nil` without a trait.
    @TaskLocal package static var current: TestScope?

    /// Records an issue at a position; `nil` is the position of the test.
    package typealias Report = @Sendable (_ message: String, _ position: SourcePosition?) -> Void

    private let report: Report
    private let verifications = Mutex<[(ifCanceled: Bool, verify: @Sendable (Report) -> Void)]>([])

    package init(report: @escaping Report) {
        self.report = report
    }

    /// Records an issue immediately.
    package func record(_ message: String, at position: SourcePosition? = nil) {
        report(message, position)
    }

    /// Records a request that nothing answers as an issue, or on standard error if there is no scope.
    static func reportUnanswered(_ report: String, in scope: TestScope? = nil) {
        if let scope = current ?? scope { return scope.record(report) }
        try? FileHandle.standardError.write(contentsOf: Data("BrowseKit: \(report)\n".utf8))
    }

    /// Adds a verification that runs when the test ends, or only if it was canceled, as by its time limit.
    func atEnd(ifCanceled: Bool = false, _ verify: @escaping @Sendable (Report) -> Void) {
        verifications.withLock { $0.append((ifCanceled, verify)) }
    }

    /// Ends the scope, and releases its verifications.
    ///
    /// - Parameters:
    ///   - isVerifying: Whether the verifications run; a test that threw an error has an issue already.
    ///   - isCanceled: Whether those for a canceled test run.
    package func end(isVerifying: Bool, isCanceled: Bool = false) {
        let all = verifications.withLock { verifications in
            defer { verifications = [] }
            return verifications
        }
        for (ifCanceled, verify) in all where ifCanceled ? isCanceled : isVerifying { verify(report) }
    }
}
