import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct RequestMatcherTests {
    private func request(
        _ method: HTTPMethod = .get,
        _ address: String,
        headers: HTTPHeaders = [:],
        body: String? = nil
    ) throws -> HTTPClient.Request {
        let url = try #require(URL(string: address))
        return HTTPClient.Request(
            method: method,
            url: url,
            headers: headers,
            body: body.map { Data($0.utf8) },
            endpoint: "TEST"
        )
    }

    @Test func `A path matches on any host, and a URL on its own`() throws {
        let path = RequestMatcher.get("/character")
        let url = RequestMatcher.get("https://rickandmortyapi.com/character")
        let port = RequestMatcher.get("http://127.0.0.1:8080/character")
        #expect(try path.matches(request(.get, "https://other.example/character")))
        #expect(try url.matches(request(.get, "https://RickAndMortyAPI.com:443/character")))
        #expect(try !url.matches(request(.get, "https://other.example/character")))
        #expect(try !url.matches(request(.get, "https://rickandmortyapi.com:8080/character")))
        #expect(try port.matches(request(.get, "http://127.0.0.1:8080/character")))
        // RFC 3986, section 6.2.3
        for (scheme, number) in [("https", 443), ("http", 80)] {
            let port = RequestMatcher.get("\(scheme)://h.test:\(number)/a")
            #expect(try port.matches(request(.get, "\(scheme)://h.test/a")))
            #expect(try port.matches(request(.get, "\(scheme)://h.test:\(number)/a")))
            #expect(try !port.matches(request(.get, "\(scheme)://h.test:8443/a")))
        }
        #expect(try !port.matches(request(.get, "http://127.0.0.1:8081/character")))
        let address = "http://[::1]:8080/character"
        #expect(try RequestMatcher.get(address).matches(request(.get, address)))
        #expect(try RequestMatcher.get("/character").host("[::1]:8080").matches(request(.get, address)))
        #expect(try RequestMatcher.get("/a").host("b.example").matches(request(.get, "https://b.example/a")))
        #expect(try !RequestMatcher.get("/a").host("b.example").matches(request(.get, "https://c.example/a")))
    }

    @Test(arguments: ["oembed?url=https://video.test/1", "web/https://video.test/1"])
    func `A path can contain a URL`(path: String) throws {
        let address = "https://host.test/\(path)"
        #expect(try RequestMatcher.get(path).matches(request(.get, address)))
        #expect(try RequestMatcher.get("/\(path)").matches(request(.get, address)))
        #expect(try RequestMatcher.get(address).matches(request(.get, address)))
        #expect(try !RequestMatcher.get(path).matches(request(.get, "https://video.test/1")))
    }

    @Test(
        arguments: [
            ("name=rick", true, true), ("name=rick&status=Dead", false, true), ("status=Dead&name=rick", false, true),
            ("name=Rick", false, false), ("", false, false), ("name=rick&name=rick", false, true),
            ("name=%72ick", true, true), ("flag", false, false), ("flag=&name=rick", false, true),
        ]
    )
    func `A query in the address matches exactly, and query items partially`(
        query: String,
        isExact: Bool,
        isPartial: Bool
    ) throws {
        let request = try request(.get, "https://host.test/character?\(query)")
        #expect(RequestMatcher.get("/character?name=rick").matches(request) == isExact)
        #expect(RequestMatcher.get("/character").query(["name": "rick"]).matches(request) == isPartial)
        #expect(RequestMatcher.get("/character").query(["flag": ""]).matches(request) == query.contains("flag"))
    }

    @Test func `A separator in a value isn't one between items`() throws {
        let safe = try request(.get, "https://host.test/search?q=cats%26sort%3Dstars")
        let leaking = try request(.get, "https://host.test/search?q=cats&sort=stars")
        let matcher = RequestMatcher.get("/search?q=cats%26sort%3Dstars")
        #expect(matcher.matches(safe) && !matcher.matches(leaking))
        #expect(RequestMatcher.get("/search?sort=stars&q=cats").matches(leaking))
    }

    /// wiremock/wiremock#543, wiremock/wiremock#1128
    @Test(arguments: [("a+b", true, true), ("a%20b", true, false), ("a%2Bb", false, true)])
    func `A plus in a query is a space, or itself`(query: String, isSpace: Bool, isPlus: Bool) throws {
        let request = try request(.get, "https://host.test/search?q=\(query)")
        #expect(RequestMatcher.get("/search").query(["q": "a b"]).matches(request) == isSpace)
        #expect(RequestMatcher.get("/search").query(["q": "a+b"]).matches(request) == isPlus)
        #expect(RequestMatcher.get("/search?q=a%20b").matches(request) == isSpace)
        #expect(RequestMatcher.get("/search?q=a%2Bb").matches(request) == isPlus)
        #expect(RequestMatcher.get("/search?q=a+b").matches(request))
        let endpoint = Endpoint<String>.json(.path("/search"), query: [.init("q", "a b")]) { (text: String, _) in text }
        #expect(RequestMatcher.endpoint(endpoint).matches(request) == isSpace)
    }

    @Test func `Headers, bodies, forms, and predicates are conditions`() throws {
        let form = try request(.post, "https://host.test/token", headers: ["Accept": "a/b"], body: "code=a%20b&state=1")
        #expect(RequestMatcher.post("/token").header("accept", "a/b").matches(form))
        #expect(!RequestMatcher.post("/token").header("accept", "a/c").matches(form))
        #expect(RequestMatcher.post("/token").form(["code": "a b"]).matches(form))
        #expect(!RequestMatcher.post("/token").form(["code": "a b", "other": "1"]).matches(form))
        #expect(RequestMatcher.any.body(Data("code=a%20b&state=1".utf8)).matches(form))
        #expect(RequestMatcher.matching("it has a body") { $0.body != nil }.matches(form))
        #expect(!RequestMatcher.post("/token").matching("it has no body") { $0.body == nil }.matches(form))

        let list = try request(.post, "https://host.test/a", body: "id=1&id=2")
        #expect(
            ["1", "2", "3"].map { RequestMatcher.post("/a").form(["id": $0]).matches(list) } == [true, true, false]
        )

        let json = try request(.post, "https://host.test/a", body: #"{ "b": [1, 2], "a": null }"#)
        #expect(RequestMatcher.post("/a").json(#"{"a":null,"b":[1,2]}"#).matches(json))
        #expect(!RequestMatcher.post("/a").json(#"{"a":null,"b":[2,1]}"#).matches(json))
        #expect(try !RequestMatcher.post("/a").json("{}").matches(request(.post, "https://host.test/a")))
    }

    @Test(arguments: ["https://host.test", "https://host.test/", "https://host.test?a=1", "https://host.test/?a=1"])
    func `An address without a path is that of the root`(address: String) throws {
        for matcher in ["/", "https://host.test", "https://host.test/"].map(RequestMatcher.get) {
            #expect(try matcher.matches(request(.get, address)))
        }
    }

    @Test func `An endpoint matches its own requests below any base URL`() throws {
        let endpoint = Endpoint<String>.json(.path("/books/\("a b")"), query: [.init("q", "c++")]) {
            (text: String, _) in
            text
        }
        let matcher = RequestMatcher.endpoint(endpoint)
        #expect(try matcher.matches(request(.get, "https://host.test/books/a%20b?q=c%2B%2B")))
        #expect(try matcher.matches(request(.get, "https://host.test/api/v3/books/a%20b?q=c%2B%2B")))
        #expect(try !matcher.matches(request(.get, "https://host.test/books/a%20b?q=c%2B%2B&page=2")))
        #expect(try !matcher.matches(request(.get, "https://host.test/books/a?q=c%2B%2B")))
        #expect(try !matcher.matches(request(.post, "https://host.test/books/a%20b?q=c%2B%2B")))
    }

    @Test func `A matcher prints in one line, without credentials`() {
        #expect(RequestMatcher.any.description == "any request")
        #expect(RequestMatcher.get("/a?b=1").query(["c": "2"]).description == "GET /a?b=1&c=2")
        #expect(
            RequestMatcher.post("https://host.test/a").header("Authorization", "Bearer 123").form(["d": "e"])
                .description
                == "POST https://host.test/a with Authorization: *** with d=e"
        )
    }
}
