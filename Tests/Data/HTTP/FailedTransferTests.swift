import BrowseData
import BrowseDomain
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Transfers that fail by themselves", .timeLimit(.minutes(5)))
struct FailedTransferTests {
    /// On Linux a report from a thread of the mock's own met the session's table of tasks while it changed, and a task that
    /// was canceled just when its failure was reported was taken out of it twice. Either ended the process.
    @Test("end as failures, however many fail at once")
    func failuresAtOnce() async throws {
        let mock = MockURLProtocol.Registration { _ in .failure(URLError(.notConnectedToInternet)) }
        let transport = mock.transport()
        let url = try #require(URL(string: "https://host.test/"))
        let errors = await withTaskGroup { group in
            for _ in 0..<500 {
                group.addTask { () -> BrowseError? in
                    do throws(BrowseError) {
                        _ = try await transport.send(HTTPRequest(url: url, endpoint: "GET /"))
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
