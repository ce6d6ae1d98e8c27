import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
struct ConsoleProgram {
    let container: Container
    var ask: (String) -> String = { question in
        print(question, terminator: ": ")
        return readLine() ?? ""
    }
    var write: (String) -> Void = { print($0) }
    var wait: (Date) async -> Void = { try? await Task.sleep(for: .seconds(max(0, $0.timeIntervalSinceNow))) }
    var signIn: (ConsoleProgram) async -> Bool = { await $0.signInByCode($0.container.gitHubSignInViewModel()) }

    /// Asks for the fields of a query, and writes about 200 results; returns whether it succeeded.
    @discardableResult
    func search<Model: SearchViewModel>(_ search: Model, describe: (Model.Row) -> String) async -> Bool {
        write(search.state.title)
        var query = search.query
        for field in search.state.fields {
            var answer = ask(question(for: field))
            while !field.accepts(answer), !answer.isEmpty { answer = ask(question(for: field)) }
            query = field.setting(answer, in: query)
        }
        search.query = query
        let succeeded = await loadAll(of: search, describe) { await $0.submit() }
        if let text = search.state.hint ?? search.state.summary { write(text) }
        return succeeded && search.state.hint == nil
    }

    /// Writes about 200 rows of a list; returns whether it succeeded.
    @discardableResult
    func list<Model: ListViewModel>(
        _ screen: Model,
        load: (Model) async -> Void,
        describe: (Model.Row) -> String
    ) async -> Bool {
        await loadAll(of: screen, describe) { model in
            await load(model)
            write(model.state.title)
        }
    }

    /// Writes the facts about an entity; returns whether it succeeded.
    @discardableResult
    func show<Model: DetailViewModel>(_ screen: Model, load: (Model) async -> Void) async -> Bool {
        await load(screen)
        var succeeded = true
        while succeeded, let message = screen.state.content.status.message {
            succeeded = await report(message, perform: screen.perform)
        }
        write(screen.state.title)
        for fact in screen.state.content.details?.facts ?? [] { write("\(fact.label): \(fact.value)") }
        return succeeded
    }

    private func loadAll<Model: ListViewModel>(
        of screen: Model,
        _ describe: (Model.Row) -> String,
        load: (Model) async -> Void
    ) async -> Bool {
        await load(screen)
        var failure: Message?
        while failure == nil, let message = await screen.loadAll(upTo: 200) ?? screen.state.content.status.message {
            if await !report(message, perform: screen.perform) { failure = message }
        }
        for row in screen.state.content.rows { write(describe(row)) }
        return failure.map { [.empty, .noMatches].contains($0.kind) } ?? true
    }

    /// Writes a message, and performs its action if the person wants that; returns whether it did.
    private func report(_ message: Message, perform: (Message.Action) async -> Route?) async -> Bool {
        write("\(message.title): \(message.text)")
        guard let action = message.action, action != .changeInput, let title = message.actionTitle else { return false }
        guard ask("\(title)? [y]").lowercased() == "y" else { return false }
        if case .retryLater(let date) = action { await wait(date) }
        switch await perform(action) {
        case .signIn?:
            guard await signIn(self) else { return false }
            _ = await perform(.retry)
            return true
        case .webPage(let page)?:
            write(page.rawValue)
            return false
        case .other?, nil: return true
        }
    }

    /// Signs in by code; returns whether that succeeded.
    func signInByCode<User>(_ screen: SignInViewModel<User>) async -> Bool {
        let prompts = Task {
            for await case .waitingForCode(let prompt) in screen.states { write(prompt.problem?.text ?? prompt.text) }
        }
        defer { prompts.cancel() }
        await screen.signInByCode()
        if let message = screen.state.message { write("\(message.title): \(message.text)") }
        if case .signedIn = screen.state { return true }
        return false
    }

    /// Asks for the name of an account until the answer can be one; `nil` if it's empty.
    func login(_ question: String) -> GitHub.Login? {
        while true {
            do throws(GitHub.Username.ValidationError) {
                return try GitHub.Username(ask(question)).login
            } catch {
                if error == .empty { return nil }
                write(container.texts()(.username(error)))
            }
        }
    }

    private func question<Query>(for field: QueryField<Query>) -> String {
        guard case .choice(let choices) = field.input else { return field.title }
        return field.title + choices.map { " [\($0.id.isEmpty ? "⏎" : $0.id)] \($0.title)" }.joined()
    }
}

private enum Main {
    @MainActor
    static func main() async {
        do {
            let configuration = try Configuration().with {
                $0.gitHub.token = try Secret(environmentVariable: "GITHUB_TOKEN")
                // Foundation doesn't read the language of a terminal on Linux, such as `ko_KR.UTF-8`.
                let language = ProcessInfo.processInfo.environment["LANG"]?.prefix { $0 != "." } ?? ""
                if !["", "C", "POSIX"].contains(language) { $0.locale = Locale(identifier: String(language)) }
            }
            try configuration.validate()
            let program = ConsoleProgram(container: Container(configuration))
            let succeeded = await program.search(program.container.repoSearchViewModel()) { $0.fullName }
            exit(succeeded ? 0 : 1)
        } catch {
            let name = error is Secret.ValidationError ? "GITHUB_TOKEN: " : ""
            FileHandle.standardError.write(Data("\(name)\(error)\n".utf8))
            exit(2)
        }
    }
}

/// Searches, and writes about 200 results; returns the exit status.
@MainActor
func status<Model: SearchViewModel>(of search: Model, describe: (Model.Row) -> String) async -> Int32 {
    await search.submit()
    let message = await search.loadAll(upTo: 200) ?? search.state.content.status.message
    for row in search.state.content.rows { print(describe(row)) }
    guard let problem = search.state.hint ?? message?.text else { return 0 }
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
    return switch message?.kind {
    case .empty?: 0
    case nil, .rejected?: 2
    case .offline?, .timedOut?: 4
    case .rateLimited?: 5
    case .unauthorized?, .forbidden?: 6
    default: 1
    }
}

@MainActor
@Suite(.bounded) struct `A console program` {
    private let services = OfflineServices()

    /// Runs the program in Korean; returns its questions and its lines.
    private func run(
        _ answers: [String: String],
        once: Bool = false
    ) async -> (questions: [String], lines: [String]) {
        let locale = Locale(identifier: "ko_KR")
        let container = Container.offline(services, configuration: Configuration().with { $0.locale = locale })
        var (questions, lines): ([String], [String]) = ([], [])
        var program = ConsoleProgram(container: container)
        program.ask = { question in
            questions.append(question)
            if once, questions.dropLast().last == question { return "" }
            return answers.first { question.hasPrefix($0.key) }?.value ?? ""
        }
        program.write = { lines.append($0) }
        await program.search(container.characterListViewModel()) { $0.name }
        await program.search(container.repoSearchViewModel()) { $0.fullName }
        await program.list(container.followerListViewModel()) { model in
            await model.show(.followers(of: GitHub.Login("octocat")))
        } describe: {
            $0.login.rawValue
        }
        await program.show(container.userProfileViewModel()) { await $0.show(GitHub.Login("octocat")) }
        return (questions, lines)
    }

    @Test func `asks for all fields of queries, and writes facts, without a text of its own`() async {
        let (questions, lines) = await run(["상태": "dead", "성별": "female", "검색어": "octocat", "정렬 기준": "stars"])
        #expect(
            questions == [
                "이름", "상태 [⏎] 전체 [Alive] 생존 [Dead] 사망 [unknown] 알 수 없음",
                "성별 [⏎] 전체 [Female] 여성 [Male] 남성 [Genderless] 무성 [unknown] 알 수 없음", "종", "유형", "검색어",
                "정렬 기준 [best] 정확도 [stars] 별표 [forks] 포크 [updated] 최근 업데이트",
                "순서 [desc] 내림차순 [asc] 오름차순",
            ]
        )
        #expect(lines.first == "등장인물" && lines.contains("저장소"))
        let profile = lines.drop { $0 != "octocat" }
        let labels = profile.map { $0.prefix { $0 != ":" } }.dropFirst()
        #expect(labels.starts(with: ["이름", "소개", "회사", "위치", "웹사이트", "팔로워"]))
    }

    @Test func `says what is missing, and asks again for an answer that isn't a choice`() async {
        let (questions, lines) = await run(["상태": "zombie"], once: true)
        #expect(questions.filter { $0.hasPrefix("상태") }.count == 2)
        #expect(lines.contains("검색어를 입력하십시오."))
    }

    @Test func `tries again if the person wants that`() async throws {
        services.gitHub.scenario = .serverError
        let container = Container.offline(services)
        var (answers, lines): ([String], [String]) = (["octocat"], [])
        var program = ConsoleProgram(container: container)
        program.ask = { [services] question in
            guard question == "Try Again? [y]" else { return answers.popLast() ?? "" }
            services.gitHub.scenario = .normal
            return "y"
        }
        program.write = { lines.append($0) }
        #expect(await program.search(container.repoSearchViewModel()) { $0.fullName })
        #expect(lines.filter { $0.hasPrefix("Server Error: ") }.count == 1 && lines.count > 3)
        services.gitHub.scenario = .serverError
        let profile = container.userProfileViewModel()
        #expect(await program.show(profile) { await $0.show(GitHub.Login("octocat")) })
        #expect(profile.state.content.details != nil)
    }

    @Test func `waits until a limit ends before it tries again`() async {
        let end = Date(timeIntervalSinceNow: 3_600)
        services.gitHub.scenario = .rateLimited(until: end)
        let container = Container.offline(services)
        var (answers, dates): ([String], [Date]) = (["y"], [])
        var program = ConsoleProgram(container: container)
        program.ask = { _ in answers.popLast() ?? "" }
        program.write = { _ in }
        program.wait = { dates.append($0) }
        let list = container.followerListViewModel()
        let succeeded = await program.list(list) { model in
            await model.show(.followers(of: GitHub.Login("octocat")))
        } describe: {
            $0.login.rawValue
        }
        #expect(!succeeded)
        #expect(dates.count == 1 && dates.allSatisfy { $0 >= end - 1 })
    }

    @Test func `signs in if the service requires that, and loads again`() async {
        services.gitHub.script.on(
            .get,
            "/search/repositories",
            responses: [.status(401, headers: ["X-GitHub-Request-Id": "1"])]
        )
        let configuration = Configuration().with { $0.clock = ImmediateClock() }
        let container = Container.offline(services, configuration: configuration)
        var (answers, lines): ([String], [String]) = (["octocat"], [])
        var program = ConsoleProgram(container: container)
        program.ask = { $0 == "Sign In? [y]" ? "y" : answers.popLast() ?? "" }
        program.write = { lines.append($0) }
        await program.search(container.repoSearchViewModel()) { $0.fullName }
        guard case .ready = container.gitHubSession().current else {
            Issue.record("\(lines)")
            return
        }
        #expect(lines.count > 3)
    }

    @Test func `reads the name of an account as a person types it`() async {
        let container = Container.offline(services)
        var (answers, lines): ([String], [String]) = (["", " @octocat", "a b"], [])
        var program = ConsoleProgram(container: container)
        program.ask = { _ in answers.popLast() ?? "" }
        program.write = { lines.append($0) }
        if let login = program.login("GitHub") {
            await program.show(container.userProfileViewModel()) { await $0.show(login) }
        }
        #expect(lines.first?.contains("space") == true && lines.dropFirst().first == "octocat" && lines.count > 4)
        #expect(program.login("GitHub") == nil)
    }

    @Test func `has a base URL and a token`() throws {
        let url = try #require(URL(string: "http://127.0.0.1:8080"))
        let configuration = try Configuration().with {
            $0.gitHub.url = url
            $0.gitHub.token = try Secret(environmentVariable: "GITHUB_TOKEN")
        }
        try configuration.validate()
        #expect(throws: Secret.ValidationError.empty) { try Secret("") }
    }

    @Test func `succeeds if there is nothing, and fails without a text to search for`() async {
        let container = Container.offline(services)
        var program = ConsoleProgram(container: container)
        program.write = { _ in }
        program.ask = { _ in "" }
        #expect(await !program.search(container.repoSearchViewModel()) { $0.fullName })
        services.gitHub.scenario = .empty
        program.ask = { $0.hasPrefix("Search") ? "octocat" : "" }
        #expect(await program.search(container.repoSearchViewModel()) { $0.fullName })
    }

    @Test func `sends a search that fails once, and says why it failed`() async {
        services.gitHub.script.on(.get, "/search/repositories", responses: [.status(500)])
        let (_, lines) = await run(["검색어": "octocat"])
        #expect(lines.filter { $0.hasPrefix("서버 오류: ") }.count == 1)
    }

    @Test func `ends with a status that says what went wrong`() async {
        let statuses: [(scenario: Scenario, text: String, status: Int32)] = [
            (.normal, "octocat", 0), (.empty, "octocat", 0), (.normal, "", 2), (.offline, "octocat", 4),
            (.serverError, "octocat", 1), (.rateLimited(until: Date(timeIntervalSinceNow: 3_600)), "octocat", 5),
        ]
        for expected in statuses {
            services.gitHub.scenario = expected.scenario
            let search = Container.offline(services).repoSearchViewModel()
            search.query.text = expected.text
            #expect(await status(of: search) { $0.fullName } == expected.status)
        }
    }

    @Test func `ends after a failure, with its reason`() async {
        services.rickAndMorty.scenarios.set(.serverError, for: .any.query(["page": "2"]))
        services.gitHub.scenario = .offline
        let (_, lines) = await run(["검색어": "octocat"])
        #expect(lines.filter { $0.hasPrefix("서버 오류: ") }.count == 1)
        #expect(lines.filter { $0.hasPrefix("연결되지 않음: ") }.count == 3)
        #expect(lines.count > 20)
    }
}
