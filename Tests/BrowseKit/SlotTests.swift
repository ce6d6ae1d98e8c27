import BrowseKit
import BrowseMocks
import Foundation
import Testing

extension Container {
    fileprivate var sameName: Dependency<String> { dependency(.singleton) { _ in "SlotTests" } }
    /// The slot of this file, which `ContainerTests` has one of the same name and type as.
    var sameNameElsewhere: Dependency<String> { sameName }
    fileprivate var missing: Dependency<String?> { dependency(.singleton) { _ in nil } }
    fileprivate var greeting: Dependency<String> { dependency(.singleton) { _ in "hello" } }
}

@MainActor @Suite
struct `The slots of a container` {
    private func folder(_ path: String) -> URL {
        URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: path)
    }

    @Test func `all resolve`() {
        #expect(ContainerSlots().unresolved(in: Container()) == [])
    }

    @Test func `are all checked`() throws {
        #expect(try ContainerSlots().unlisted(in: folder("Sources/BrowseKit")) == [])
    }

    @Test func `of an app are checked too`() throws {
        let slots = ContainerSlots(own: ["missing": { $0.missing() as Any }, "greeting": { $0.greeting() }])
        #expect(slots.unresolved(in: Container()) == ["missing"])
        let unlisted = try slots.unlisted(in: folder("Tests/BrowseKit"))
        #expect(unlisted.contains("sameName") && !unlisted.contains("greeting"))
    }
}
