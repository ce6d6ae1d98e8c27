#if os(macOS) || os(Linux)
import BrowseData
import Foundation

/// A process of its own, for tests that kill it, write beside it, or measure its memory.
///
/// - `chunks MEBIBYTES` receives a body of this size in chunks of one byte, and writes a line `wrong: …` if it isn't right, the peak of
///   memory, the memory and the descriptors before and after, and `done`.
/// - `favorites FOLDER FIRST COUNT TASKS` adds users of the numbers from FIRST on, shared among so many tasks, and writes each
///   number to its output when the call has returned.
/// - `faults COUNT SEED FOLDER TRANSPORT` sends so many requests through the whole chain, with its cache in the folder, to a
///   server that fails at random, and writes a line `wrong: …` for whatever ended as it should not, what it counted, and `done`.
/// - `hold LOCK FOLDER` takes a lock of the cache in the folder (see `LockHolder`), writes `held`, and waits to be killed.
/// - `images FOLDER FIRST COUNT BYTES LIMIT FILE` loads pictures of the numbers from FIRST on, of so many bytes each, into a
///   folder with a limit, and writes each number when the call has returned; no file may have more than FILE bytes, unless 0.
/// - `lookups` cancels requests during slow lookups of their host's name (Linux), and writes a line `wrong: …` for each result that
///   isn't right, and `done`.
/// - `observer` sends a request that an observer sees who never returns, writes the status, and exits.
/// - `mutations COUNT SEED` sends so many requests to a server of mutated responses, and writes a line `wrong: …` for each
///   result that isn't right, counts, the memory and the descriptors before and after, and `done`.
/// - `redirects COUNT SEED` follows so many redirects, cancels at any moment, and writes the same.
/// - `session FOLDER URL NAME COUNT` sends so many requests with the session in the folder, and writes the outcome of each; the
///   server tells the processes apart by their names.
/// - `soak MINUTES SEED FOLDER` repeats all of these and writes the same.
/// - `responses FOLDER SEED` reads things through a cache in the folder, and writes a line when a call has returned.
/// - `tokens FOLDER` stores credentials again and again, and writes a line when a call has returned.
/// - `transfer TRANSPORT URL LIMIT` asks for a profile there with so many bytes as the limit, and writes how it ended and by how many
///   megabytes its memory grew at the most.
///
/// TRANSPORT is `urlSession`, or `curl` for the default one. Any other failure is written too and ends the process with 1;
/// wrong arguments end it with 2.
@main
struct TestChild {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "chunks": try await ChunkRun(arguments.dropFirst()).run()
            case "faults": try await FaultRun(arguments.dropFirst()).run()
            case "favorites": try await FavoriteWriter(arguments.dropFirst()).run()
            case "hold": try LockHolder(arguments.dropFirst()).run()
            #if os(Linux)
            case "lookups": try await LookupRun.run()
            #endif
            case "mutations": try await MutationRun(arguments.dropFirst()).run()
            case "redirects": try await RedirectRun(arguments.dropFirst()).run()
            case "soak": try await SoakRun(arguments.dropFirst()).run()
            case "responses": try await ResponseWriter(arguments.dropFirst()).run()
            case "images": try await ImageWriter(arguments.dropFirst()).run()
            case "observer": try await BlockedObserver.run()
            case "session": try await SharedSession(arguments.dropFirst()).run()
            case "tokens": try await TokenWriter(arguments.dropFirst()).run()
            case "transfer": try await Transfer(arguments.dropFirst()).run()
            default: throw WrongArguments()
            }
        } catch is WrongArguments {
            exit(2)
        } catch {
            write("failed: \(error)")
            exit(1)
        }
    }

    struct WrongArguments: Error {}

    /// Writes a line at once, so that it is out when the process is killed.
    static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

extension TransportKind {
    /// The transport that an argument names.
    init?(argument: String) {
        switch argument {
        case "urlSession": self = .urlSession
        case "curl": self = .platformDefault
        default: return nil
        }
    }
}
#else
/// Other platforms start no processes, so the tests that need one are compiled for macOS and Linux only.
@main
struct TestChild {
    static func main() {}
}
#endif
