import BrowseDomain
import BrowseMocks
import TestLimits
import Testing

@Suite(.bounded)
struct ControlledResponsesTests {
    let held = ControlledResponses<String, Int>()

    @Test func `Responses go out in the order that the test chooses`() async {
        let log = Log()
        var tasks: [Task<Result<Int, BrowseError>, Never>] = []
        for name in ["a", "b", "c"] {
            tasks.append(
                Task { [held] in
                    defer { log.add(name) }
                    return await .of { () throws(BrowseError) in try await held.response(to: name) }
                }
            )
            await held.waitForRequests(tasks.count)
        }
        #expect(held.requests == ["a", "b", "c"])
        #expect(held.waitingCount == 3)

        let offline = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "x"))
        let answers: KeyValuePairs<Int, Result<Int, BrowseError>> = [
            2: .success(3), 0: .success(1), 1: .failure(offline),
        ]
        for (index, answer) in answers {
            #expect(held.answer(index, with: answer))
            #expect(await tasks[index].value == answer)
        }
        #expect(log.entries == ["c", "a", "b"])
        #expect(held.waitingCount == 0)
    }

    @Test func `An answer waits for its request if that comes later`() async throws {
        #expect(held.answer(0, with: .success(7)))
        #expect(try await held.response(to: "early") == 7)
    }

    @Test func `Of two answers the first counts`() async throws {
        #expect(held.answer(0, with: .success(1)))
        #expect(!held.answer(0, with: .success(2)))
        #expect(try await held.response(to: "a") == 1)
        #expect(!held.answer(0, with: .success(3)))
    }

    @Test func `A response is delivered after cancellation if the test wants that`() async {
        let held = ControlledResponses<String, Int>(deliversAfterCancellation: true)
        let late = Task { () -> Result<Int, BrowseError> in
            await .of { () throws(BrowseError) in try await held.response(to: "a") }
        }
        await held.waitForRequests(1)
        late.cancel()
        #expect(held.waitingCount == 1)
        #expect(held.answer(0, with: .success(1)))
        #expect(await late.value == .success(1))
        #expect(held.waitingCount == 0)
    }

    @Test func `Canceling the caller ends its call, and no response reaches it`() async {
        let task = Task { [held] in
            await failure { () throws(BrowseError) in try await held.response(to: "a") }
        }
        await held.waitForRequests(1)
        task.cancel()
        #expect(held.waitingCount == 0)
        #expect(!held.answer(0, with: .success(1)))
        #expect(await task.value == .cancelled)
    }

    @Test func `Waiting for requests ends when the waiting task is canceled`() async {
        let task = Task { [held] in await held.waitForRequests(5) }
        task.cancel()
        #expect(await task.value.isEmpty)
    }
}
