import BrowseData
import BrowseDomain
import BrowseTesting
import Foundation
import TestLimits
import Testing

/// Transports with one flaw each violate the rules.
@Suite(.bounded)
struct BrokenTransportTests {
    private struct Flawed: HTTPTransport {
        enum Flaw: CaseIterable {
            case dropsQuery, dropsFields, dropsBody, sendsPost, failsForErrors, losesFields, losesBytes, mixesResponses
            case followsNothing, keepsURL, sendsCredentials, endsRedirects, ignoresLimit, hidesTimeLimit
            case hidesCancellation, acceptsPart, hidesClosedPorts
        }

        let flaw: Flaw
        let good = URLSessionTransport(connectionsPerHost: 16, redirectLimit: 5)
        let single = URLSessionTransport(connectionsPerHost: 16, redirectLimit: 0)

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            var request = request
            switch flaw {
            case .dropsQuery:
                request.url = URL(string: request.url.absoluteString.components(separatedBy: "?")[0]) ?? request.url
            case .dropsFields: request.headers["X-Test"] = nil
            case .dropsBody: request.body = nil
            case .sendsPost: if request.body != nil { request.method = .post }
            case .ignoresLimit: request.limits.bodyBytes = 1 << 20
            default: break
            }
            let info = BrowseError.RequestInfo(endpoint: "TEST")
            do throws(BrowseError) {
                switch flaw {
                case .followsNothing: return try await single.send(request)
                case .sendsCredentials:
                    let response = try await single.send(request)
                    guard response.status == 302, request.headers["Authorization"] != nil,
                        let target = response.headers["Location"].flatMap({ URL(string: $0, relativeTo: request.url) })
                    else { return try await good.send(request) }
                    request.url = target.absoluteURL
                    return try await single.send(request)
                default: return changed(try await good.send(request), request)
                }
            } catch .timedOut where flaw == .hidesTimeLimit {
                throw .unreachable(.connectionLost, info)
            } catch .cancelled where flaw == .hidesCancellation {
                throw .timedOut(info)
            } catch .unreachable(.connectionLost, _) where flaw == .acceptsPart {
                return HTTPClient.Response(status: 200, url: request.url)
            } catch .unreachable where flaw == .hidesClosedPorts {
                throw .timedOut(info)
            } catch .refused where flaw == .endsRedirects {
                return HTTPClient.Response(status: 200, url: request.url)
            } catch .unusableResponse(.status, _) where flaw == .failsForErrors {
                throw .timedOut(info)
            }
        }

        private func changed(_ response: HTTPClient.Response, _ request: HTTPClient.Request) -> HTTPClient.Response {
            var (status, headers, body, url) = (response.status, response.headers, response.body, response.url)
            switch flaw {
            case .failsForErrors: if status >= 400 { status = 500 }
            case .losesFields: headers["X-Status"] = nil
            case .losesBytes: body = Data(String(decoding: body, as: UTF8.self).utf8)
            case .mixesResponses: if url.path() == "/7" { body = Data("/8".utf8) }
            case .keepsURL: url = request.url
            default: break
            }
            return HTTPClient.Response(status: status, headers: headers, body: body, url: url)
        }
    }

    @Test
    func `Transports`() async {
        await expectViolations(
            of: TransportConformance.rules,
            by: Flawed.Flaw.allCases.map { flaw -> @Sendable () -> any HTTPTransport in { Flawed(flaw: flaw) } }
        )
    }
}
