import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded) struct `The lock of a file` {
    private let folder = TemporaryFolder()

    @Test(arguments: [false, true]) func `isn't waited for without a limit`(isShared: Bool) throws {
        let file = StorageFile(folder: folder.url, name: "a")
        _ = try file.locked {
            #expect(throws: StorageFailure(reason: .busy, file: "a")) {
                try file.locked(isShared: isShared, waitingAtMost: .milliseconds(1)) {}
            }
        }
        try file.locked(isShared: true) { try file.locked(isShared: true, waitingAtMost: .zero) {} }
    }
}
