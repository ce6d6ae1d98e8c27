import BrowseCore
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Dispatch
import Foundation
import Synchronization
import TestLimits
import Testing

private final class Part: Sendable {
    let name: String

    init(_ name: String = "") {
        self.name = name
    }
}

/// A screen that makes the next one when a person asks for it.
private final class Screen: Sendable {
    let makeNext: @Sendable () -> Screen

    init(_ makeNext: @escaping @Sendable () -> Screen) {
        self.makeNext = makeNext
    }
}

private struct Watched {
    weak var part: Part?
}

extension Container {
    fileprivate var single: Dependency<Part> { dependency(.singleton) { _ in Part("single") } }
    fileprivate var unique: Dependency<Part> { dependency(.unique) { _ in Part("unique") } }
    fileprivate var translated: Dependency<Part> { dependency(.localized) { _ in Part("translated") } }
    fileprivate var mirror: Dependency<Part> {
        dependency(.unique) { $0.localized(for: Locale(identifier: "ko_KR")).mirror() }
    }
    fileprivate var whole: Dependency<[Part]> { dependency(.singleton) { [$0.single(), $0.unique()] } }
    fileprivate var maybe: Dependency<Part?> { dependency(.singleton) { _ in Part("maybe") } }
    fileprivate var nothing: Dependency<String?> { dependency(.singleton) { _ in nil } }
    fileprivate var sameName: Dependency<String> { dependency(.singleton) { _ in "ContainerTests" } }

    fileprivate var screen: Dependency<Screen> {
        dependency(.unique) { container in Screen { container.screen() } }
    }

    fileprivate func named(_ name: String) -> Dependency<Part> { dependency(.singleton) { _ in Part(name) } }
    fileprivate func new(_ name: String) -> Dependency<Part> { dependency(.unique) { _ in Part(name) } }

    fileprivate var chicken: Dependency<Part> { dependency(.singleton) { Part($0.egg().name) } }
    fileprivate var egg: Dependency<Part> { dependency(.unique) { Part($0.nest().name) } }
    fileprivate var nest: Dependency<Part> { dependency(.singleton) { Part($0.chicken().name) } }
}

@Suite(.bounded) struct `A container` {
    @Test func `creates a singleton once, shared by its copies`() {
        let container = Container()
        let copy = container
        #expect(container.single() === copy.single())
        #expect(container.single() !== Container().single())
    }

    @Test func `supports optional values and their overrides`() {
        let container = Container()
        #expect(container.maybe()?.name == "maybe")
        #expect(container.maybe() === container.maybe())
        #expect(container.nothing() == nil)
        let other = Container()
        other.maybe.override { _ in nil }
        other.nothing.override { _ in "something" }
        #expect(other.maybe() == nil)
        #expect(other.nothing() == "something")
    }

    @Test func `distinguishes dependencies with equal names and types in two files`() {
        let container = Container()
        #expect(container.sameName() == "ContainerTests")
        #expect(container.sameNameElsewhere() == "DependencyTests")
    }

    @Test func `creates a unique value each time`() {
        let container = Container()
        #expect(container.unique() !== container.unique())
    }

    @Test func `resolves the dependencies of a factory`() {
        let container = Container()
        #expect(container.whole()[0] === container.single())
        #expect(container.whole().map(\.name) == ["single", "unique"])
    }

    @Test func `applies overrides to itself only, in any number of tasks`() async {
        let overridden = Monitor(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let container = Container()
                    container.single.override { _ in Part("\(number)") }
                    overridden.withLock { $0 += 1 }
                    await overridden.wait { $0 == 200 }
                    #expect(container.single().name == "\(number)")
                    #expect(container.whole()[0].name == "\(number)")
                }
            }
        }
        #expect(Container().single().name == "single")
    }

    @Test func `uses the last of several overrides`() {
        let container = Container()
        container.single.override { _ in Part("first") }
        container.single.override { _ in Part("last") }
        container.unique.override { Part($0.single().name + "er") }
        #expect(container.whole().map(\.name) == ["last", "laster"])
    }

    @Test func `traps at the line that overrides a dependency after its first use, with the remedy`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            // Used by another dependency's factory.
            _ = container.whole()
            container.single.override { _ in Part("late") }
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let report = /KitTests\/ContainerTests\.swift:\d+: .*overridden after its first use: single\. Override it/
        #expect(output.contains(report), "\(output)")
    }

    @Test func `traps at a dependency with arguments, which all would share its value`() async throws {
        #expect(Container().new("a")().name == "a")
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Container().named("a")
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let text = "Dependency with arguments isn't unique: named(_:) in KitTests/ContainerTests.swift. Give it"
        #expect(output.contains(text), "\(output)")
    }

    @Test func `gives concurrent tasks the same singleton`() async {
        for _ in 0..<50 {
            let container = Container()
            let parts = await withTaskGroup(of: ObjectIdentifier.self) { group in
                for _ in 0..<16 { group.addTask { ObjectIdentifier(container.single()) } }
                return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
            }
            #expect(parts.count == 1)
        }
    }

    @Test func `holds no lock while a factory runs`() {
        let container = Container()
        container.single.override { inner in
            // Another thread resolves from the same container while this factory waits for it.
            let other = Mutex<Part?>(nil)
            let done = DispatchSemaphore(value: 0)
            Thread {
                other.withLock { $0 = inner.unique() }
                done.signal()
            }
            .start()
            #expect(done.wait(timeout: .now() + 30) == .success)
            return Part("after " + (other.withLock { $0?.name } ?? ""))
        }
        #expect(container.single().name == "after unique")
    }

    @Test func `traps at a cycle with the names of the chain`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Container().chicken()
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let text = "Dependency cycle: chicken → egg → nest → chicken in KitTests/ContainerTests.swift. Resolve one"
        #expect(output.contains(text), "\(output)")
    }

    @Test func `lets a value resolve its own dependency later`() {
        let first = Container().screen()
        let second = first.makeNext()
        #expect(second !== first)
        #expect(second.makeNext() !== second)
    }

    @Test func `traps at a cycle through another language with its name`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Container().mirror()
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("Dependency cycle: mirror → mirror"), "\(output)")
    }

    @Test func `has one localized value for a container of another language and its copies`() {
        let container = Container(Configuration().with { $0.locale = Locale(identifier: "en_US") })
        let korean = container.localized(for: Locale(identifier: "ko_KR"))
        let copy = korean
        #expect(copy.translated() === korean.translated())
        #expect(container.translated() !== korean.translated())
    }

    @Test @MainActor func `passes an overriding repository to a view model`() async {
        let container = Container(.localized("ko_KR"))
        let octocat = GitHub.Login("octocat")
        let user = GitHub.User(id: GitHub.User.ID(rawValue: 1), login: GitHub.Login("mona"))
        container.followerRepository.override { _ in
            InMemoryFollowerRepository(lists: [.followers(of: octocat): [user]])
        }
        container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        let model = container.followerListViewModel()
        await model.show(.followers(of: octocat))
        #expect(Array(model.state.content.rows.map(\.user)) == [user])
        #expect(model.state.title == "octocat의 팔로워")
    }
}
