import BrowseAppStoreData
import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("An App Store response", .bounded)
struct AppStoreServiceTests {
    private static let page = "\n\n<!DOCTYPE html><html><body>Service Unavailable</body></html>"
    private static let empty = "\n\n\n{\n \"resultCount\":0,\n \"results\": []\n}\n"

    private func expect(
        _ body: String,
        status: Int,
        type: String? = "text/javascript; charset=utf-8",
        headers: [(String, String)] = [],
        is error: (BrowseError.RequestInfo) -> BrowseError,
        message: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let failures = try await AppStoreService(body, status: status, type: type, headers: headers).failures()
        let expected = AppStoreService.infos(status: status, message: message).map(error)
        #expect(failures == expected, sourceLocation: location)
    }

    private func limit(_ seconds: TimeInterval, isServerTime: Bool = false) -> BrowseError.RateLimit {
        BrowseError.RateLimit(kind: .primary, retryAt: testNow.addingTimeInterval(seconds), isServerTime: isServerTime)
    }

    @Test(arguments: [403, 429])
    func `with 403 or 429 and no results is a rate limit of one minute`(status: Int) async throws {
        let minute = limit(60)
        for body in [Self.empty, "", "\n\n", #"{"results":[]}"#] {
            try await expect(body, status: status, is: { .rateLimited(minute, $0) })
        }
        try await expect("", status: status, type: nil, is: { .rateLimited(minute, $0) })
        let serverLimit = limit(9, isServerTime: true)
        try await expect(
            Self.empty,
            status: status,
            headers: [("Retry-After", "9")],
            is: { .rateLimited(serverLimit, $0) }
        )
        try await expect(
            Self.empty,
            status: status,
            headers: [("Retry-After", "soon")],
            is: { .rateLimited(minute, $0) }
        )
    }

    @Test func `with 403 and other content is a refusal, and with 429 a rate limit`() async throws {
        let minute = limit(60)
        try await expect("{}", status: 429, is: { .rateLimited(minute, $0) })
        try await expect("{}", status: 403, is: { .forbidden($0) })
        try await expect(
            #"{"errorMessage":"no"}"#,
            status: 403,
            is: { .forbidden($0) },
            message: "no"
        )
    }

    @Test(arguments: [500, 502, 503, 504, 599])
    func `with a status of 500 or more is a server failure`(status: Int) async throws {
        for (body, type) in [
            (Self.page, "text/html"), (Self.page, "text/javascript"), ("", nil), (Self.empty, "text/javascript"),
        ] {
            try await expect(body, status: status, type: type, is: { .serverFailure($0) })
        }
    }

    @Test(arguments: [200, 400, 403, 404, 421, 429])
    func `with HTML instead of JSON isn't the App Store's`(status: Int) async throws {
        let html = "text/html;charset=utf-8"
        for (body, type) in [
            (Self.page, html), ("Sorry.", html), (Self.page, "text/javascript; charset=utf-8"),
            (Self.page, "application/json"), (Self.page, nil),
        ] {
            try await expect(body, status: status, type: type, is: { .unreachable(.intercepted, $0) })
        }
    }

    @Test(arguments: [200, 400])
    func `with an error message is rejected`(status: Int) async throws {
        try await expect(
            AppStoreResponses.refusal,
            status: status,
            is: { .rejected($0) },
            message: "Invalid value(s) for key(s): [itunesId]"
        )
        // A null without a message is an empty list.
        try await expect(
            #"{"errorMessage":"Invalid value(s) for key(s): [itunesId]","results":null}"#,
            status: status,
            is: { .rejected($0) },
            message: "Invalid value(s) for key(s): [itunesId]"
        )
        let secret = String(repeating: "s3cr3t", count: 5)
        try await expect(
            #"\#n{"errorMessage":"Invalid\n \#(secret)"}"#,
            status: status,
            is: { .rejected($0) },
            message: "Invalid …"
        )
    }

    @Test(arguments: ["", "\n\n\n"])
    func `without content is unusable`(body: String) async throws {
        try await expect(body, status: 200, is: { .unusableResponse(.empty, $0) })
    }

    @Test(
        "is decoded with the content types of JSON and text/javascript, in any case",
        arguments: [
            "text/javascript", "text/javascript; charset=utf-8", "Text/JavaScript;charset=UTF-8", "application/json",
            "text/json", "application/vnd.x+json",
        ]
    )
    func types(type: String) async throws {
        let service = try AppStoreService(AppStoreResponses.found(AppStoreResponses.row(7)), type: type)
        #expect(try await service.apps.lookUp(.id(AppStore.AppID(7)), in: .init()).name == "App 7")
    }

    @Test(arguments: ["text/plain", "application/javascript", "image/png", ""])
    func `isn't decoded with other content types`(type: String) async throws {
        let service = try AppStoreService(AppStoreResponses.found(AppStoreResponses.row(7)), type: type)
        let failures = await service.failures()
        #expect(failures == AppStoreService.infos(status: 200).map { .unreachable(.intercepted, $0) })
    }
}
