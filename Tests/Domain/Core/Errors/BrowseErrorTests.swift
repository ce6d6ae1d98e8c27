import BrowseDomain
import Foundation
import TestLimits
import Testing

@Suite(.bounded) struct `The error of a change` {
    /// RFC 9110, section 9.2.2: the response to the repetition of a deletion can differ.
    @Test(arguments: [("DELETE /a/{}", true), ("PATCH /a/{}", false), ("PUT /a/{}", false)])
    func `says that it may have been made if a deletion finds nothing`(endpoint: String, isUnknown: Bool) {
        let info = BrowseError.RequestInfo(endpoint: endpoint, status: 404)
        #expect(BrowseError.notFound(info).mayHaveTakenEffect == isUnknown)
    }

    private static let info = BrowseError.RequestInfo(endpoint: "POST /a")

    @Test(
        arguments: [
            (.cancelled, true), (.timedOut(info), true), (.serverFailure(info), true),
            (.unusableResponse(.status, info), true), (.unreachable(.connectionLost, info), true),
            (.unreachable(.other(code: 1, detail: ""), info), true), (.unreachable(.connectionRefused, info), false),
            (.unreachable(.intercepted, info), false), (.refused(.invalidParameter, info), false),
            (.unauthorized(info), false), (.forbidden(info), false), (.rejected(info), false),
        ] as [(BrowseError, Bool)]
    )
    func `says that it may have been made unless it was refused or not sent`(error: BrowseError, isUnknown: Bool) {
        #expect(error.mayHaveTakenEffect == isUnknown)
    }
}

@Suite(.bounded) struct `The description of an error` {
    private let info = BrowseError.RequestInfo(endpoint: "GET /users/{}", status: 403) {
        $0.requestID = "ABC"
        $0.serverMessage = "Forbidden.\nReally."
    }

    @Test func `is one line with the cause and what is known of the request`() {
        let plain = BrowseError.RequestInfo(endpoint: "GET /users/{}", status: 404)
        #expect("\(BrowseError.notFound(plain))" == "notFound: GET /users/{}, status 404")
        #expect(
            "\(BrowseError.rejected(info))" == "rejected: GET /users/{}, status 403, request ABC, “Forbidden. Really.”"
        )
        #expect("\(BrowseError.cancelled)" == "cancelled")
        #expect("\(BrowseError.unreachable(.offline, .init(endpoint: "GET /")))" == "unreachable (offline): GET /")
        let failure = BrowseError.DecodingFailure(codingPath: "[3].login", reason: "expected text")
        #expect(
            "\(BrowseError.unusableResponse(.decoding(failure), .init(endpoint: "GET /", status: 200)))"
                == "unusableResponse (decoding([3].login: expected text)): GET /, status 200"
        )
        let storage = StorageFailure(reason: .full, file: "favorites.sqlite", code: 13)
        #expect("\(BrowseError.storageFailed(storage))" == "storageFailed (full): favorites.sqlite, code 13")
        #expect("\(BrowseError.signInFailed(.denied))" == "signInFailed (denied)")
    }

    @Test func `mentions the credentials only of a request that was unauthorized`() {
        var info = BrowseError.RequestInfo(endpoint: "GET /user", status: 401)
        #expect("\(BrowseError.unauthorized(info))" == "unauthorized: GET /user, status 401")
        info.hadNoCredentials = true
        #expect("\(BrowseError.unauthorized(info))" == "unauthorized (no credentials): GET /user, status 401")
        #expect("\(BrowseError.notFound(info))" == "notFound: GET /user, status 401")
    }

    @Test func `has no optional values and no names of types`() {
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: Date(timeIntervalSince1970: 0), isServerTime: true)
        let errors: [BrowseError] = [
            .timedOut(info), .rateLimited(limit, info), .forbidden(info), .serverFailure(info),
            .unusableResponse(.tooLarge(limit: 8), info), .refused(.tooManyRedirects(limit: 5), info),
            .unreachable(.notSecure(detail: "expired"), info), .signInFailed(.callback(.noCode)),
        ]
        for error in errors {
            #expect(!"\(error)".contains("Optional") && !"\(error)".contains("BrowseDomain"), "\(error)")
        }
    }
}
