import BrowseData
import BrowseDomain
import TestLimits
import Testing

@Suite(.bounded)
struct `A stream of events` {
    @Test func `delays no request, and drops the oldest events while nobody reads it`() async throws {
        let events = Broadcast<HTTPEvent>()
        let stream = events.stream(.bufferingNewest(3))
        let transport = FakeTransport(statuses: 200)
        let client = HTTPClient(service: .sample(), transport: transport, options: .init { $0.observers = [events] })
        for _ in 0..<20 { #expect(try await client.send(Endpoint(.path("/a")) { $0.status }) == 200) }
        events.finish()
        let last = await stream.reduce(into: [HTTPEvent]()) { $0.append($1) }
        #expect(last.map(\.name) == ["sent", "200", "ended"])
        #expect(Set(last.map(\.exchange)).count == 1)
    }
}
