import Foundation
import TestLimits
import Testing

@_spi(Services) import BrowseData

@Suite(.bounded) struct `An origin` {
    private func origin(_ address: String) throws -> Origin? { Origin(try #require(URL(string: address))) }

    @Test(arguments: [
        "https://api.example", "HTTPS://API.example/a", "https://api.example:443/b?c=:1", "https://u:p@api.example/@:9",
        "https://api.example:/a", "https://u:80@api.example?a:1",
    ])
    func `has a scheme, host, and port, in any spelling`(address: String) throws {
        #expect(try origin(address)?.text == "https://api.example")
    }

    /// letsencrypt/boulder#4511, symfony/symfony#53635, apache/httpcomponents-client#607
    @Test(arguments: [
        ("https://müller.example", "https://xn--mller-kva.example"), ("https://한국.kr/a", "https://xn--3e0b707e.kr"),
        ("https://MÜLLER.example:443", "https://xn--mller-kva.example"),
    ])
    func `has one host, in both forms of an internationalized name`(address: String, text: String) throws {
        #expect(try origin(address)?.text == text)
        #expect(try origin(address) == origin(text))
    }

    @Test(arguments: [
        ("https://api.example:8443", "https://api.example:8443"), ("http://localhost:80/", "http://localhost"),
        ("https://[::1]:443/a", "https://::1"), ("https://[::1]/a:b", "https://::1"),
        ("http://[::1]:8080", "http://::1:8080"),
    ])
    func `distinguishes ports and addresses`(address: String, text: String) throws {
        #expect(try origin(address)?.text.replacing("[", with: "").replacing("]", with: "") == text)
    }

    @Test(arguments: [
        "https://api.example:44344444444444444444444444444/a", "file:///etc/passwd", "ftp://api.example", "/relative",
        "https:///a",
    ])
    func `is nil for other URLs and invalid ports`(address: String) throws {
        #expect(try origin(address) == nil)
    }
}
