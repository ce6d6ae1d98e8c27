import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@_spi(Services) @testable import BrowseDomain

@Suite(.bounded) struct `Sign-in on the web` {
    private func signInOnWeb(redirect: String = "http://127.0.0.1:8123/signed-in") -> OAuthSignIn {
        let authorization = InMemoryAuthorizationRepository(redirect: URL(string: redirect)) {
            call throws(BrowseError) in
            guard case .exchange(let code, let verifier) = call, verifier.text.utf8.count == 43 else {
                throw .signInFailed(.invalidCode)
            }
            return .credentials(Credentials(token: code))
        }
        return OAuthSignIn(authorization: authorization)
    }

    private func callback(_ text: String, for signIn: WebSignIn) throws -> URL {
        let other = signIn.state.dropLast() + (signIn.state.hasSuffix("A") ? "B" : "A")
        let text = text.replacingOccurrences(of: "STATE", with: signIn.state).replacingOccurrences(
            of: "OTHER",
            with: other
        )
        return try #require(URL(string: text))
    }

    @Test(arguments: [
        "http://127.0.0.1:8123/signed-in?code=abc&state=STATE",
        "http://127.0.0.1:8123/signed-in?state=STATE&code=abc",
        // Additions that GitHub may make, or that browsers make.
        "http://127.0.0.1:8123/signed-in?code=abc&state=STATE&iss=https://github.com&code_hint=x",
        "HTTP://127.0.0.1:8123/signed-in?code=abc&state=STATE#_=_",
    ])
    func `reads the code from the redirect URL`(text: String) async throws {
        let signInOnWeb = signInOnWeb()
        let signIn = try signInOnWeb.begin()
        let credentials = try await signInOnWeb.finish(signIn, with: callback(text, for: signIn))
        #expect(try credentials.token == Secret("abc"))
    }

    @Test(arguments: [
        ("https://app.example/signed-in", "https://app.example:80/signed-in"),
        ("http://127.0.0.1/signed-in", "http://127.0.0.1:443/signed-in"),
        ("app:/signed-in", "app://signed-in:443/"),
        ("https://app.example:444/signed-in", "https://app.example/signed-in"),
        ("https://app.example/a?kind=github", "https://app.example/a"),
    ])
    func `distinguishes other ports, and requires the redirect URL's own query items`(
        redirect: String,
        address: String
    ) async throws {
        let signInOnWeb = signInOnWeb(redirect: redirect)
        let signIn = try signInOnWeb.begin()
        let callback = try callback(address + "?code=abc&state=STATE", for: signIn)
        await #expect(throws: BrowseError.signInFailed(.callback(.otherAddress))) {
            try await signInOnWeb.finish(signIn, with: callback)
        }
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:8124/signed-in?code=abc&state=STATE", .otherAddress),
            ("http://127.0.0.1/signed-in?code=abc&state=STATE", .otherAddress),
            ("https://127.0.0.1:8123/signed-in?code=abc&state=STATE", .otherAddress),
            ("http://localhost:8123/signed-in?code=abc&state=STATE", .otherAddress),
            ("http://127.0.0.1.evil.example:8123/signed-in?code=abc&state=STATE", .otherAddress),
            ("http://evil@127.0.0.1:8123/signed-in?code=abc&state=STATE", .otherAddress),
            ("http://127.0.0.1:8123/signed-in/?code=abc&state=STATE", .otherAddress),
            ("http://127.0.0.1:8123/signed-in/../x?code=abc&state=STATE", .otherAddress),
            ("http://127.0.0.1:8123/?code=abc&state=STATE", .otherAddress),
            ("http://127.0.0.1:8123/signed-in?code=abc", .wrongState),
            ("http://127.0.0.1:8123/signed-in?code=abc&state=", .wrongState),
            ("http://127.0.0.1:8123/signed-in?code=abc&state=x", .wrongState),
            ("http://127.0.0.1:8123/signed-in?code=abc&state=OTHER", .wrongState),
            ("http://127.0.0.1:8123/signed-in?code=abc&state=STATEx", .wrongState),
            ("http://127.0.0.1:8123/signed-in?code=abc&state=STATE&state=x", .wrongState),
            ("http://127.0.0.1:8123/signed-in?code=abc&xstate=STATE", .wrongState),
            ("http://127.0.0.1:8123/signed-in?code=abc#state=STATE", .wrongState),
            ("http://127.0.0.1:8123/signed-in?error=access_denied&state=x", .wrongState),
            ("http://127.0.0.1:8123/signed-in?state=STATE", .noCode),
            ("http://127.0.0.1:8123/signed-in?code=&state=STATE", .noCode),
            ("http://127.0.0.1:8123/signed-in?code&state=STATE", .noCode),
            ("http://127.0.0.1:8123/signed-in?mycode=abc&state=STATE", .noCode),
            ("http://127.0.0.1:8123/signed-in?code=abc&code=def&state=STATE", .noCode),
            ("http://127.0.0.1:8123/signed-in?code=a%0Ab&state=STATE", .noCode),
        ] as [(String, BrowseError.CallbackProblem)]
    )
    func `rejects other URLs`(text: String, problem: BrowseError.CallbackProblem) async throws {
        let signInOnWeb = signInOnWeb()
        let signIn = try signInOnWeb.begin()
        await #expect(throws: BrowseError.signInFailed(.callback(problem))) {
            try await signInOnWeb.finish(signIn, with: callback(text, for: signIn))
        }
    }

    @Test(
        arguments: [
            ("access_denied", .denied), ("redirect_uri_mismatch", .redirectMismatch),
            ("application_suspended", .incorrectClient), ("unheard_of", .other("…")),
            ("ghp_0123456789abcdef<script>", .other("…")),
            (String(repeating: "a", count: 1000), .other("…")),
        ] as [(String, BrowseError.SignInFailure)]
    )
    func `throws the reason that GitHub's error code gives`(word: String, failure: BrowseError.SignInFailure)
        async throws
    {
        let signInOnWeb = signInOnWeb()
        let signIn = try signInOnWeb.begin()
        let encoded = try #require(word.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let address = "http://127.0.0.1:8123/signed-in?error=\(encoded)&error_description=x&state=STATE"
        await #expect(throws: BrowseError.signInFailed(failure)) {
            try await signInOnWeb.finish(signIn, with: callback(address, for: signIn))
        }
    }

    @Test func `reads a redirect mismatch at the app's registered URL`() throws {
        let signIn = try signInOnWeb().begin()
        let address = "https://registered.example/?error=redirect_uri_mismatch&state=STATE"
        #expect(throws: BrowseError.signInFailed(.redirectMismatch)) {
            _ = try signIn.code(in: callback(address, for: signIn))
        }
    }

    @Test(arguments: [
        ("app.browsekit:/signed-in", "app.browsekit:/signed-in?code=abc&state=STATE"),
        ("https://app.example", "https://app.example/?code=abc&state=STATE"),
        ("https://app.example/a?kind=github", "https://app.example/a?kind=github&code=abc&state=STATE"),
        // The scheme's default port is no port.
        ("https://app.example/signed-in", "https://app.example:443/signed-in?code=abc&state=STATE"),
        ("https://app.example:443/signed-in", "https://app.example/signed-in?code=abc&state=STATE"),
        ("http://127.0.0.1/signed-in", "http://127.0.0.1:80/signed-in?code=abc&state=STATE"),
        ("http://127.0.0.1:80/signed-in", "http://127.0.0.1/signed-in?code=abc&state=STATE"),
        ("https://app.example/signed-in", "https://APP.example:/signed-in?code=abc&state=STATE"),
    ])
    func `accepts any kind of redirect URL`(redirect: String, text: String) async throws {
        let signInOnWeb = signInOnWeb(redirect: redirect)
        let signIn = try signInOnWeb.begin()
        #expect(try await signInOnWeb.finish(signIn, with: callback(text, for: signIn)).token == Secret("abc"))
    }

    @Test func `creates a new state and verifier from 32 random bytes each time`() throws {
        let signInOnWeb = signInOnWeb()
        let signIns = try (0..<50).map { _ in try signInOnWeb.begin() }
        #expect(Set(signIns.map(\.state)).count == 50)
        #expect(Set(signIns.map(\.verifier.text)).count == 50)
        for signIn in signIns {
            #expect(signIn.state.utf8.count == 43 && signIn.verifier.text.utf8.count == 43)
            #expect(signIn.state != signIn.verifier.text)
            #expect("\(signIn.verifier)" == "***")
        }
        let count = Mutex(UInt8(0))
        let counted = OAuthSignIn(
            authorization: InMemoryAuthorizationRepository(),
            random: {
                count.withLock { count in
                    defer { count += 1 }
                    return count
                }
            }
        )
        #expect(try counted.begin().state == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    }
}
