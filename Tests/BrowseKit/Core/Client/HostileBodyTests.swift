import BrowseData
import BrowseDomain
import BrowseKit
import Foundation
import TestLimits
import Testing

/// The time and memory that these bodies cost are measured by the benchmark `hostile-bodies`.
@Suite("A hostile body", .bounded)
struct HostileBodyTests {
    @Test("has a bounded result at every endpoint", arguments: HostileEndpoint.all)
    func result(_ endpoint: HostileEndpoint) async {
        for body in HostileBody.all(in: endpoint.envelope, size: 1 << 16) {
            switch await endpoint.result(of: body.bytes) {
            case .success(let (rows, skipped)):
                #expect(rows > 0, "\(body)")
                if endpoint.skipsRows, body.description == "10,000 bad rows" { #expect(skipped.count == 10_000) }
                #expect((skipped.first != nil) == (skipped.count > 0), "\(body)")
            case .failure(BrowseError.unusableResponse):
                let isReadable = ["good rows", "10,000 bad rows"].contains(body.description)
                #expect(!isReadable || !endpoint.skipsRows, "\(body)")
            case .failure(let error):
                Issue.record("\(body): \(error)")
            }
        }
    }

    @Test("of an error has the result of its status", arguments: HostileEndpoint.all)
    func error(_ endpoint: HostileEndpoint) async {
        for body in HostileBody.all(in: endpoint.envelope, size: 1 << 16) {
            let result = await endpoint.result(of: body.bytes, status: 404)
            // A server without the device flow.
            if case .failure(BrowseError.signInFailed(.deviceFlowDisabled)) = result, "\(endpoint)" == "device code" {
                continue
            }
            guard case .failure(BrowseError.notFound(let info)) = result else {
                Issue.record("\(body): \(result)")
                continue
            }
            #expect((info.serverMessage ?? "").utf8.count <= 1000, "\(body)")
        }
    }
}
