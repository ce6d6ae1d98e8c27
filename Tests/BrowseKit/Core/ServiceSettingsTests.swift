import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Settings with an invalid default.
private protocol OwnSettings: ServiceSettings {
    var url: String { get set }
    var key: Secret? { get set }
    var isUsable: Bool { get set }
}

extension OwnSettings {
    func service(in configuration: Configuration) -> HTTPClient.Service {
        .json(baseURL: URL(string: url) ?? URL(filePath: "/"), userAgent: configuration.userAgent)
    }

    func validate(in configuration: Configuration) throws(Configuration.Problem) {
        guard isUsable else { throw .setting(service: Self.name, reason: "Not usable.") }
    }
}

private struct Apples: OwnSettings {
    static let name = "Apples"
    var url = ""
    var key: Secret?
    var isUsable = false
}

private struct Pears: OwnSettings {
    static let name = "Pears"
    var url = ""
    var key: Secret?
    var isUsable = false
}

extension Configuration {
    fileprivate var apples: Apples {
        get { self[Apples.self] }
        set { self[Apples.self] = newValue }
    }
    fileprivate var pears: Pears {
        get { self[Pears.self] }
        set { self[Pears.self] = newValue }
    }
}

@Suite(.bounded)
struct `The settings of a service` {
    @Test func `belong to one configuration and one service`() {
        var configuration = Configuration()
        configuration.apples.url = "https://apples.example"
        let copy = configuration
        configuration.apples.url = "https://apples.example/2"
        configuration.pears.url = "https://pears.example"
        #expect(copy.apples.url == "https://apples.example")
        #expect(copy.pears.url == "")
        #expect(configuration.apples.url == "https://apples.example/2")
        #expect(configuration.pears.url == "https://pears.example")
        #expect(configuration.gitHub.url == GitHubSettings().url)
    }

    @Test func `can be changed in an expression`() throws {
        let original = Configuration().with { $0.userAgent = "Me" }
        let changed = try original.with { $0.gitHub.token = try Secret("made-up-token") }
        #expect(changed.gitHub.token != nil && changed.userAgent == "Me")
        #expect(original.gitHub.token == nil)
    }

    @Test func `are validated only if they were set`() throws {
        var configuration = Configuration()
        #expect(configuration.apples.url == "")
        try configuration.validate()
        configuration.apples.isUsable = true
        #expect(throws: Configuration.Problem.baseURL(service: "Apples", .unsupportedScheme)) {
            try configuration.validate()
        }
    }

    @Test func `are validated in the order of their names`() {
        func problem(_ changes: [(inout Configuration) -> Void]) -> Configuration.Problem? {
            var configuration = Configuration()
            for change in changes { change(&configuration) }
            do throws(Configuration.Problem) {
                try configuration.validate()
                return nil
            } catch {
                return error
            }
        }
        let invalid: [(inout Configuration) -> Void] = [
            { $0.apples.url = "https://apples.example" }, { $0.gitHub.url = URL(filePath: "/") },
            { $0.pears.url = "https://pears.example" }, { $0.storageFolder = GitHubSettings().url },
        ]
        let apples = Configuration.Problem.setting(service: "Apples", reason: "Not usable.")
        let gitHub = Configuration.Problem.baseURL(service: "GitHub", .unsupportedScheme)
        let pears = Configuration.Problem.setting(service: "Pears", reason: "Not usable.")
        let expected = [apples, gitHub, pears, .folder]
        for start in invalid.indices {
            let changes = Array(invalid[start...])
            for rotation in changes.indices {
                let changes = Array(changes[rotation...] + changes[..<rotation])
                #expect(problem(changes) == expected[start])
                #expect(problem(changes.reversed()) == expected[start])
            }
            #expect(problem([{ $0.userAgent = "" }] + changes) == .userAgent)
        }
    }
}
