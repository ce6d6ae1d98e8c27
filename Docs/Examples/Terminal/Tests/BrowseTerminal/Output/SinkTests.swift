import BrowseTerminal
import Foundation
import Testing

@Suite("Writing", .timeLimit(.minutes(5)))
struct SinkTests {
    @Test("puts an end to each line, and loses none of very many")
    func manyLines() throws {
        let memory = Memory()
        try memory.sink().print((0..<50_000).lazy.map { Line("row \($0)") })
        let lines = memory.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 50_001)
        #expect(lines[49_999] == "row 49999")
    }

    @Test("says when the reader went away instead of ending the process")
    func closedPipe() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        // As the tool does at its start; a test process writes to no other broken pipe.
        _ = signal(SIGPIPE, SIG_IGN)
        close(ends[0])
        #expect(throws: Sink.Failure.closed) { try Sink.descriptor(ends[1]).print([Line("row")]) }
        close(ends[1])
    }

    @Test("goes on where a pipe was full")
    func fullPipe() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let (input, output) = (ends[0], ends[1])
        let text = String(repeating: "0123456789", count: 50_000)
        let (everything, reading) = AsyncStream.makeStream(of: Data.self)
        // On a thread of its own: the writer waits for the reader, and may have the only one of Swift's.
        Thread {
            reading.yield(FileHandle(fileDescriptor: input, closeOnDealloc: true).readDataToEndOfFile())
        }
        .start()
        try Sink.descriptor(output).write(text)
        close(output)
        #expect(await everything.first { _ in true } == Data(text.utf8))
    }

    @Test(
        "uses colours where they are wanted",
        arguments: [
            (ColorChoice.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
            (.auto, true, ["NO_COLOR": ""], true), (.auto, true, ["TERM": "dumb"], false),
            (.always, false, ["NO_COLOR": "1"], true), (.never, true, [:], false),
        ]
    )
    func colors(choice: ColorChoice, isTerminal: Bool, environment: [String: String], expected: Bool) {
        #expect(choice.isOn(terminal: isTerminal, environment: environment) == expected)
    }
}
