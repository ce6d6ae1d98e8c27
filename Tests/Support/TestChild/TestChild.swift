#if os(macOS) || os(Linux)
import BrowseData
import Foundation

/// A child process for tests that kill it, run it concurrently with others, or measure its memory.
///
/// - `favorites FOLDER FIRST COUNT TASKS` adds COUNT users with numbers from FIRST on, concurrently in TASKS tasks, and prints
///   each number when the call has returned.
/// - `faults COUNT SEED FOLDER TRANSPORT` sends COUNT requests through the whole middleware chain, with a cache in FOLDER, to a
///   server that fails at random.
/// - `ids FOLDER MICROSECONDS` opens the favorites, prints their number, and is killed after the time.
/// - `images FOLDER FIRST COUNT BYTES LIMIT FILE` loads COUNT images of BYTES each, with numbers from FIRST on, into a folder
///   with a limit, and prints each number when the call has returned. Files are limited to FILE bytes, unless 0.
/// - `lookups` cancels requests during slow host name lookups, and reaches a host at its second address (Linux).
/// - `mutations COUNT SEED` sends COUNT requests to a server of mutated responses.
/// - `offline` uses 200 offline containers, and prints how many descriptors they hold.
/// - `responses FOLDER SEED` sends requests through a cache in FOLDER until killed, and prints `ready`, and a line when each
///   call has returned.
/// - `session FOLDER URL NAME COUNT` sends COUNT requests with the session in FOLDER, and prints the outcome of each. NAME
///   identifies the process to the server.
/// - `sign-out FOLDER URL CACHE` signs out of the session in FOLDER, erases its responses in CACHE, and prints `signed out`.
/// - `soak MINUTES SEED FOLDER` repeats `mutations` and `faults`.
/// - `tokens FOLDER` stores credentials until killed, and prints a line when each call has returned.
/// - `transfer TRANSPORT URL LIMIT` requests a profile with a body limit of LIMIT bytes, and prints the outcome and the growth of
///   peak memory in MiB.
///
/// Commands that check results print a line `wrong: …` for each unexpected one, counts, memory and descriptors before and after
/// (except `lookups`), and `done`. TRANSPORT is `urlSession`, or `curl` for the default one. Other failures are printed and exit
/// with status 1; wrong arguments exit with 2.
@main
struct TestChild {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "faults": try await FaultRun(arguments.dropFirst()).run()
            case "favorites": try await FavoriteWriter(arguments.dropFirst()).run()
            case "ids": try await FavoriteReader(arguments.dropFirst()).run()
            #if os(Linux)
            case "lookups": try await LookupRun.run()
            #endif
            case "mutations": try await MutationRun(arguments.dropFirst()).run()
            case "sign-out": try await SignOut(arguments.dropFirst()).run()
            case "soak": try await SoakRun(arguments.dropFirst()).run()
            case "responses": try await ResponseWriter(arguments.dropFirst()).run()
            case "images": try await ImageWriter(arguments.dropFirst()).run()
            case "offline": try await OfflineContainers.run()
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

    /// Writes a line without buffering, so that it isn't lost when the process is killed.
    static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

/// The transport that an argument names.
enum TransportName: String {
    case urlSession, curl

    func makeTransport() -> any HTTPTransport {
        self == .urlSession ? URLSessionTransport() : HTTPClient.makeTransport()
    }
}
#else
/// Other platforms can't start processes; tests that need one are for macOS and Linux only.
@main
struct TestChild {
    static func main() {}
}
#endif
