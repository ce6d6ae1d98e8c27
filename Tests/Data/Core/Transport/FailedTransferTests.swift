import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Failing transfers", .bounded)
struct FailedTransferTests {
    /// Two former crashes on Linux.
    ///
    /// A mock's thread reported while the session's task table changed, and a task that was canceled while its failure was
    /// reported was removed twice.
    @Test func `throw errors without a crash, even if many fail at once`() async throws {
        let mock = MockURLProtocol.Registration { _ in .failure(URLError(.notConnectedToInternet)) }
        let session = URLSession(configuration: mock.sessionConfiguration())
        let request = session.request(try #require(URL(string: "https://host.test/")))
        let errors = await withTaskGroup { group in
            for _ in 0..<500 {
                group.addTask { await #expect(throws: URLError.self) { try await session.data(for: request) } }
            }
            var errors: [URLError?] = []
            for await error in group { errors.append(error) }
            return errors
        }
        #expect(errors.map { $0?.code } == Array(repeating: .notConnectedToInternet, count: 500))
        withExtendedLifetime(mock) {}
    }
}
