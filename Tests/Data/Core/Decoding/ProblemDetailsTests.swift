import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// RFC 9457.
@Suite(.bounded) struct `Problem details` {
    @Test(arguments: [
        (
            422,
            #"{"title": "Invalid", "detail": "The title is empty.", "errors": [{"detail": "title"}, {"pointer": "/a"}]}"#,
            "The title is empty. (title)"
        ),
        (
            403, #"{"type": "/out-of-credit", "title": "You do not have enough credit."}"#,
            "You do not have enough credit."
        ),
        // dotnet/aspnetcore#57714
        (
            400, #"{"title": "Invalid", "errors": {"Name": ["No name.", "No initial."], "Age": ["No age."]}}"#,
            "Invalid (No age., No name., No initial.)"
        ),
        (
            400, #"{"title": "Invalid", "errors": {"Name": ["No name."], "Age": "No age.", "Size": null}}"#,
            "Invalid (No age., No name.)"
        ),
        (
            400, #"{"title": "Invalid", "errors": {"Name": " ", "Age": ["No age.", 7], "Size": 7, "Kind": {}}}"#,
            "Invalid (No age.)"
        ),
        (500, #"{"title": 7, "detail": "Try later.", "errors": "none"}"#, "Try later."),
        (403, #"{"title": "Out of credit", "detail": ""}"#, "Out of credit"),
    ])
    func `are the reason for an error of any service`(status: Int, body: String, reason: String) async throws {
        let server = ScriptedServer()
        let problem = ScriptedServer.Response.body(
            Data(body.utf8),
            status: status,
            headers: ["Content-Type": "application/problem+json; charset=utf-8"]
        )
        server.on(.get, "/a", response: problem)
        server.on(.get, "/b", response: .json(body, status: status))
        let url = try #require(URL(string: "https://api.example"))
        let client = HTTPClient(service: .json(baseURL: url, userAgent: "Tests"), transport: server.transport())
        for (path, expected) in [("/a", reason), ("/b", nil)] as [(EndpointPath, String?)] {
            let error = await #expect(throws: BrowseError.self) {
                try await client.send(Endpoint(.path(path)) { $0.status })
            }
            #expect(error?.request?.serverMessage == expected)
        }
    }
}
