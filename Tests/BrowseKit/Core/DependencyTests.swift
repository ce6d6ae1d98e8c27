import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

extension Container {
    fileprivate var sameName: Dependency<String> { dependency(.singleton) { _ in "DependencyTests" } }
    /// This file's dependency; `ContainerTests` has one with the same name and type.
    var sameNameElsewhere: Dependency<String> { sameName }
    fileprivate var missing: Dependency<String?> { dependency(.singleton) { _ in nil } }
    fileprivate var nickname: Dependency<String?> { dependency(.singleton) { _ in "mona" } }
    fileprivate var greeting: Dependency<String> { dependency(.singleton) { _ in "hello" } }
}

@MainActor @Suite(.bounded)
struct `Container's dependencies` {
    @Test func `can all be resolved`() {
        #expect(ContainerSlots.all.unresolved(in: Container()) == [])
    }

    @Test func `are all in the list of checked dependencies`() throws {
        // That of BrowseSwiftUI's images isn't for others, and exists on Apple platforms only.
        #expect(try ContainerSlots.all.unlisted(in: "Sources/BrowseKit") == ["decodedImages"])
    }

    @Test func `include the app's own ones in the check`() throws {
        let slots = ContainerSlots(own: ["missing": { $0.missing() as Any }, "greeting": { $0.greeting() }])
        #expect(slots.unresolved(in: Container()) == ["missing"])
        let unlisted = try slots.unlisted(in: "Tests/BrowseKit")
        #expect(unlisted.contains("sameName") && !unlisted.contains("greeting"))
        let mistakes = [
            ("Sources/Missing", #filePath, "Pass its path from"), ("Sources", "/Tests.swift", "Pass an absolute path"),
        ]
        for (path, file, remedy) in mistakes {
            let error = #expect(throws: ContainerSlots.Unreadable.self) { try slots.unlisted(in: path, filePath: file) }
            #expect(error?.description.contains("\(path)/ has no Swift files. \(remedy)") == true)
        }
    }

    @Test(arguments: ["\n", "\r\n"])
    func `are found in each form of a declaration, and not in comments`(lineEnd: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "slots-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let code = """
            // The app's dependencies.
            extension Container {
                public var first: Container.Dependency<Int> { dependency(.unique) { _ in 1 } }
                var second:
                    Dependency<Int> { dependency(.unique) { _ in 2 } }
                // var third: Dependency<Int> { dependency(.unique) { _ in 3 } }
            }
            """
        let file = Data(code.replacing("\n", with: lineEnd).utf8)
        try file.write(to: folder.appending(path: "A.swift"))
        #expect(try ContainerSlots().unlisted(in: folder.path(percentEncoded: false)) == ["first", "second"])
    }

    @Test func `may have optional values, of which the check finds those that are nil`() {
        let slots = ContainerSlots(own: ["missing": { $0.missing() as Any }, "nickname": { $0.nickname() as Any }])
        #expect(slots.unresolved(in: Container()) == ["missing"])
    }
}
