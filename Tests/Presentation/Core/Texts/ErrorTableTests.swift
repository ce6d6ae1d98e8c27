@testable import BrowseAppStorePresentation
import BrowseDomain
import BrowseGitHubDomain
@testable import BrowseGitHubPresentation
@testable import BrowseRickAndMortyPresentation
import Foundation
import TestLimits
import Testing

@testable import BrowsePresentation

/// The table of messages in Docs/Errors.md.
private struct ErrorTable {
    private typealias Row = (name: String, message: @Sendable (Texts) -> Message)

    private static let limit = BrowseError.RateLimit(
        kind: .primary,
        retryAt: Date(timeIntervalSince1970: 1_800_000_000),
        isServerTime: true
    )
    private static let anonymous = BrowseError.RequestInfo(endpoint: "GET /user") { $0.hadNoCredentials = true }
    private static let portal = BrowseError.RequestInfo(endpoint: "GET /user") { $0.host = "login.example.com" }
    private static let configured = BrowseError.RequestInfo(endpoint: "GET /user") { $0.refusedConfiguredToken = true }
    private static let requestErrors: [(String, BrowseError)] = [
        ("unreachable(.offline)", .unreachable(.offline, .sample)),
        ("unreachable(.hostNotFound)", .unreachable(.hostNotFound, .sample)),
        ("unreachable(.connectionRefused)", .unreachable(.connectionRefused, .sample)),
        ("unreachable(.connectionLost)", .unreachable(.connectionLost, .sample)),
        ("unreachable(.intercepted)", .unreachable(.intercepted, .sample)),
        ("unreachable(.intercepted), by a known host", .unreachable(.intercepted, portal)),
        ("unreachable(.moved)", .unreachable(.moved(to: "git.example.com"), .sample)),
        ("unreachable(.notCached)", .unreachable(.notCached, .sample)),
        ("unreachable(.notSecure)", .unreachable(.notSecure(detail: ""), .sample)),
        ("unreachable(.other)", .unreachable(.other(code: -1, detail: ""), .sample)),
        ("timedOut", .timedOut(.sample)), ("rateLimited", .rateLimited(limit, .sample)),
        ("unauthorized, signed out", .unauthorized(anonymous)), ("unauthorized, signed in", .unauthorized(.sample)),
        ("unauthorized, the app’s own token", .unauthorized(configured)),
        ("forbidden", .forbidden(.sample)),
        ("forbidden, with a reason", .forbidden(denied(nil, "Must have push access"))),
        ("forbidden, missing permission", .forbidden(denied(.missingPermission(["public_repo", "repo"])))),
        (
            "forbidden, single sign-on",
            .forbidden(denied(.singleSignOn(WebAddress(rawValue: "https://github.com/sso"))))
        ),
        ("forbidden, legal reasons", .forbidden(denied(.legalReasons(nil)))), ("notFound", .notFound(.sample)),
        ("rejected", .rejected(.sample)), ("rejected, with a reason", rejected(400, "Problems parsing JSON")),
        ("rejected, the app is too old", rejected(410, nil, .appVersion)),
        ("rejected, the end of a list", rejected(422, nil, .pageLimit)),
        ("rejected, the end of a list, with a reason", rejected(422, "Pagination is limited.", .pageLimit)),
        ("serverFailure", .serverFailure(.sample)), ("unusableResponse", .unusableResponse(.empty, .sample)),
        ("unusableResponse(.tooManyPages)", .unusableResponse(.tooManyPages(limit: 10_000), .sample)),
        ("refused(.invalidParameter)", .refused(.invalidParameter, .sample)),
        ("refused(.invalidConfiguration)", .refused(.invalidConfiguration, .sample)),
        ("refused, other reasons", .refused(.unreadableRedirect, .sample)),
    ]
    private static func denied(_ denial: BrowseError.Denial?, _ message: String? = nil) -> BrowseError.RequestInfo {
        BrowseError.RequestInfo(endpoint: "GET /user") {
            $0.serverMessage = message
            $0.denial = denial
        }
    }
    private static func rejected(
        _ status: Int,
        _ message: String? = nil,
        _ reason: BrowseError.Rejection? = nil
    ) -> BrowseError {
        let info = BrowseError.RequestInfo(endpoint: "GET /user", status: status) {
            $0.serverMessage = message
            $0.rejection = reason
        }
        return .rejected(info)
    }
    private static let storageReasons: [(String, StorageFailure.Reason)] = [
        ("notWritable", .notWritable), ("full", .full), ("newerVersion", .newerVersion(found: 2, supported: 1)),
        ("damaged", .damaged), ("busy", .busy), ("exposed", .exposed), ("exposedFolder", .exposedFolder),
        ("locked", .locked), ("unavailable", .unavailable), ("notEncodable", .notEncodable), ("other", .other),
    ]
    private static let signInFailures: [(String, BrowseError.SignInFailure)] = [
        ("notConfigured", .notConfigured(missing: "OAuthApp")), ("denied", .denied), ("expired", .expired),
        ("invalidCode", .invalidCode),
        ("incorrectClient", .incorrectClient), ("redirectMismatch", .redirectMismatch),
        ("unverifiedEmail", .unverifiedEmail), ("deviceFlowDisabled", .deviceFlowDisabled),
        ("alreadyUsed", .alreadyUsed), ("callback", .callback(.noCode)), ("other", .other("…")),
    ]

    private static var errors: [Row] {
        let storage = storageReasons.map { name, reason in
            ("storageFailed(.\(name))", BrowseError.storageFailed(StorageFailure(reason: reason, file: "")))
        }
        let signIn = signInFailures.map { name, failure in ("signInFailed(.\(name))", BrowseError.signInFailed(failure))
        }
        return (requestErrors + storage + signIn).map { name, error in (name, { $0.message(for: error) }) }
    }

    private static let recovery = StorageRecovery(damagedFile: "favorites-damaged.sqlite", savedCount: 12)
    private static let unprocessable = rejected(422)
    private static let invalidQuery = rejected(422, "None of the search qualifiers apply.")
    private static let special: [Row] = [
        ("notFound, after typing", { $0.withInput().message(for: .notFound(.sample)) }),
        ("rejected (422), after typing", { $0.withInput().message(for: unprocessable) }),
        ("notFound, App Store", { $0.about(.appStore).message(for: .notFound(.sample)) }),
        ("notFound, Rick and Morty", { $0.about(.rickAndMorty).withInput().message(for: .notFound(.sample)) }),
        ("rejected (422), GitHub search", { $0.about(.gitHubSearch).withInput().message(for: unprocessable) }),
        (
            "rejected (422), GitHub search, with a reason",
            { $0.about(.gitHubSearch).withInput().message(for: invalidQuery) }
        ),
        ("rejected (400), GitHub search", { $0.about(.gitHubSearch).withInput().message(for: rejected(400)) }),
        ("A service found nothing, but reports that there is something", { $0.interrupted }),
        ("A service announced more rows than it sent", { $0.incomplete }),
        ("A service left out rows", { $0.partial }), ("Rows can’t be read", { $0.unreadable(2) }),
        ("notFound, image", { $0.pictureMessage(for: .notFound(.sample)) }),
        ("A star’s new state is unknown", { $0.starUnconfirmed }),
        ("Some stars couldn’t be loaded", { $0.starsMissing }),
        ("The pasted token isn’t one", { $0.tokenNotUsable }),
        ("GitHub refuses the pasted token", { $0.tokenNotAccepted }),
        ("Nobody is signed in", { $0.message(for: SignOutReason.noSession) }),
        ("GitHub revoked the token", { $0.message(for: SignOutReason.revoked) }),
        ("The token has expired, and can’t be refreshed", { $0.message(for: SignOutReason.expired) }),
        ("GitHub refuses the token of a sign-in", { $0.message(for: SignOutReason.refused) }),
        ("GitHub refuses the app’s own token", { $0.message(for: SignOutReason.tokenRefused) }),
        ("GitHub couldn’t revoke the token", { $0.signOutMessage(for: .timedOut(.sample)) }),
        ("A favorites file was replaced", { $0.recovered(recovery) }),
    ]

    static func markdown() -> String {
        // A fixed clock, on the day of the rate limit's end.
        let texts = ["en_US", "ko_KR"].map {
            Texts(locale: Locale(identifier: $0), timeZone: .gmt, now: { Date(timeIntervalSince1970: 1_799_999_000) })
                .about(.gitHub)
        }
        func table(_ rows: [Row]) -> String {
            let lines = rows.map { name, message in
                let messages = texts.map(message)
                let cells = [
                    messages.map(\.title), messages.map(\.text), messages.compactMap(\.actionTitle),
                ].map { $0.joined(separator: "<br>") }
                // Unicode versions differ in the space before AM and PM.
                return "| \(name) | " + cells.joined(separator: " | ").replacing("\u{202F}", with: " ") + " |"
            }
            return (["| Error | Title | Text | Button |", "|---|---|---|---|"] + lines).joined(separator: "\n")
        }
        return """
            # Errors

            Messages about errors, in English and Korean. The service is GitHub, unless a row names another. \
            `Texts.message(for:)` returns the messages of `BrowseError`; `BrowseError.cancelled` isn't shown.

            This file is generated. After changing a text, run `make errors`.

            ## BrowseError
            \(table(errors))

            ## Other messages
            \(table(special))

            """
    }
}

@Suite(.bounded) struct `The table of error messages` {
    private let file = URL(filePath: #filePath).appending(path: "../../../../../Docs/Errors.md").standardized

    @Test func `is up to date in Docs`() throws {
        let table = ErrorTable.markdown()
        if ProcessInfo.processInfo.environment["BROWSEKIT_WRITE_ERRORS"] != nil {
            try table.write(to: file, atomically: true, encoding: .utf8)
        }
        let published = try String(contentsOf: file, encoding: .utf8)
        let isUpToDate = published == table
        #expect(isUpToDate, "Docs/Errors.md is out of date. Run `make errors`, and review the changes.")
    }
}
