import BrowseTerminal
import Foundation
import Testing

@Suite("A sink", .timeLimit(.minutes(5)))
struct SinkTests {
    @Test("ends each line, and loses none of many")
    func manyLines() throws {
        let memory = Memory()
        try memory.sink().print((0..<50_000).lazy.map { Line("row \($0)") })
        let lines = memory.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 50_001)
        #expect(lines[49_999] == "row 49999")
    }

    @Test("throws an error if the reader closed it, instead of ending the process")
    func closedPipe() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        // As in the tool; the test process has no other broken pipe.
        _ = signal(SIGPIPE, SIG_IGN)
        close(ends[0])
        #expect(throws: Sink.Failure.closed) { try Sink.descriptor(ends[1]).print([Line("row")]) }
        close(ends[1])
    }

    /// att/ast#1125 and php/php-src#7769
    @Test("isn't the next file that is opened if its stream was closed, and fails")
    func closedStream() async {
        await #expect(processExitsWith: .success) {
            close(STDOUT_FILENO)
            let context = ProcessContext.process(stopSignal: { nil })
            #expect(throws: Sink.Failure.system(EBADF)) { try context.output.print([Line("row")]) }
            #expect(open("/dev/null", O_WRONLY) > STDERR_FILENO)
        }
    }

    /// kernel/cli#148, profclems/glab#713: cells that were cut are lost in a file.
    @Test("has no width in a pipe, unless COLUMNS sets one")
    func pipeWidth() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let variable = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        let sink = Sink.descriptor(ends[1])
        #expect(!sink.isTerminal && sink.columns() == variable ?? .max)
        let cell = String(repeating: "a", count: 500)
        let columns = [Table.Column("b", minWidth: 4), Table.Column("c", minWidth: 4)]
        let lines = Table(columns, rows: [[cell, cell]]).lines(width: .max)
        #expect(lines.last == Line(cell + "  " + cell))
        for end in ends { close(end) }
    }

    @Test("continues after a full pipe")
    func fullPipe() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let (input, output) = (ends[0], ends[1])
        let text = String(repeating: "0123456789", count: 50_000)
        let (everything, reading) = AsyncStream.makeStream(of: Data.self)
        // On its own thread, because the writer may block Swift's only one.
        Thread {
            reading.yield(FileHandle(fileDescriptor: input, closeOnDealloc: true).readDataToEndOfFile())
        }
        .start()
        try Sink.descriptor(output).write(text)
        close(output)
        #expect(await everything.first { _ in true } == Data(text.utf8))
    }

    @Test(
        "uses colors if enabled",
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
