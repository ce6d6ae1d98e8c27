import Foundation
import TestServers
import Testing

@Suite("Child processes of tests", .timeLimit(.minutes(10)))
struct SpawnedProcessTests {
    @Test("A child process inherits no other descriptors than its pipes")
    func descriptors() async throws {
        let pipe = Pipe()
        let ends = [pipe.fileHandleForReading, pipe.fileHandleForWriting].map { "\($0.fileDescriptor)" }
        let script = #"for end in 0 1 2 "$@"; do test -e /dev/fd/$end && echo $end; done"#
        let process = try SpawnedProcess("/bin/sh", ["-c", script, "sh"] + ends)
        #expect(await process.finished() == ["0", "1", "2"])
        withExtendedLifetime(pipe) {}
    }
}
