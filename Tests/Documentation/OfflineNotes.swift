import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTesting
import Foundation
import Synchronization
import TestLimits
import Testing

// The sample of an offline service that keeps what is written, which also runs as a test.

/// Notes without a network, whose texts can be changed.
nonisolated final class OfflineNotes: OfflineService {
    typealias Settings = NotesSettings
    let scenarios = OfflineScenarios()
    private let notes = Mutex(["1": "Tea"])

    func hasEndpoint(for request: HTTPClient.Request) -> Bool { request.url.path().hasPrefix("/notes/") }

    func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response {
        let id = request.url.lastPathComponent
        if request.method == .patch {
            let change = try JSONDecoder().decode([String: String].self, from: request.body ?? Data())
            guard let text = change["text"], !text.isEmpty else {
                return .json(#"{"reason": "The text is empty."}"#, status: 400, to: request)
            }
            notes.withLock { $0[id] = text }
            return HTTPClient.Response(status: 204, url: request.url)
        }
        let note = ["text": notes.withLock { $0[id] ?? "" }]
        return HTTPClient.Response(status: 200, body: try JSONEncoder().encode(note), url: request.url)
    }
}

nonisolated extension Endpoint<Void> {
    /// `PATCH /notes/{id}`, whose repetition changes nothing more.
    static func setText(_ text: String, ofNote id: Int) -> Self {
        var endpoint = json(method: .patch, .path("/notes/\(id)"), body: ["text": text])
        endpoint.isSafeToRepeat = true
        return endpoint
    }
}

nonisolated extension Endpoint<String> {
    /// `GET /notes/{id}`.
    static func note(_ id: Int) -> Self {
        .json(.path("/notes/\(id)")) { (note: [String: String], _) in note["text"] ?? "" }
    }
}

nonisolated struct NotesSettings: ServiceSettings {
    static let name = "Notes"

    // swift-format-ignore: NeverForceUnwrap
    var url = URL(string: "https://notes.example")!

    func service(in configuration: Configuration) -> HTTPClient.Service {
        var service = HTTPClient.Service.json(baseURL: url, userAgent: configuration.userAgent)
        service.failure = { response, info, now in
            BrowseError(response, info: info.reporting((try? response.decoded(Refusal.self))?.reason), now: now)
        }
        return service
    }
}

nonisolated extension Container {
    var noteClient: Dependency<HTTPClient> {
        dependency(.shared) { $0.client(of: $0.configuration[NotesSettings.self].service(in: $0.configuration)) }
    }
}

@Suite(.bounded) struct `A service with writes, without a network` {
    @Test(.verifiesMocks) func `answers reads with what was written`() async throws {
        let client = Container.offline(services: [OfflineNotes()]).noteClient()
        #expect(try await client.send(.note(1)) == "Tea")
        try await client.send(.setText("Coffee", ofNote: 1))
        #expect(try await client.send(.note(1)) == "Coffee")
    }

    @Test(.verifiesMocks) func `refuses a write with its own reason`() async {
        let client = Container.offline(services: [OfflineNotes()]).noteClient()
        let error = await #expect(throws: BrowseError.self) { try await client.send(.setText("", ofNote: 1)) }
        #expect(error?.request?.serverMessage == "The text is empty." && error?.request?.status == 400)
    }

    @Test(.verifiesMocks) func `repeats a write that is safe to repeat`() async throws {
        let server = ScriptedServer()
        server.on(.patch, "/notes/1", responses: [.status(502), .status(204)])
        let configuration = Configuration().with { $0.clock = ImmediateClock() }
        let services: [any ServiceSettings.Type] = [NotesSettings.self]
        let container = Container.production(on: server.transport(), configuration: configuration, services: services)
        try await container.noteClient().send(.setText("Coffee", ofNote: 1))
    }
}
