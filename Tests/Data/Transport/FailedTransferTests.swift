import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
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
    @Test("throw errors without a crash, even if many fail at once")
    func failuresAtOnce() async throws {
        let mock = MockURLProtocol.Registration { _ in .failure(URLError(.notConnectedToInternet)) }
        let transport = mock.transport()
        let url = try #require(URL(string: "https://host.test/"))
        var request = HTTPClient.Request(url: url, endpoint: "GET /")
        request.limits.duration = .seconds(3_600)
        let errors = await withTaskGroup { [request] group in
            for _ in 0..<500 {
                group.addTask { () -> BrowseError? in
                    do throws(BrowseError) {
                        _ = try await transport.send(request)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var errors: [BrowseError?] = []
            for await error in group { errors.append(error) }
            return errors
        }
        #expect(errors.count == 500)
        let expected = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "GET /"))
        #expect(errors.allSatisfy { $0 == expected })
        withExtendedLifetime(mock) {}
    }
}
