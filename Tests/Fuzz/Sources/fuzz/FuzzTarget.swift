import Foundation
import LibFuzzer
import Synchronization

/// A fuzz target: code that parses untrusted input, with its invariants.
///
/// To add one, write its body in Targets, add it to ``all``, and put a seed or two in Corpus.
struct FuzzTarget: Sendable {
    /// The name of the target, its folder in Corpus, and its dictionary.
    let name: String
    /// Processes one input; ends the process if an invariant is violated.
    let body: @Sendable (_ input: [UInt8]) -> Void

    /// All targets, in the order they run.
    static let all: [FuzzTarget] = [
        FuzzTarget(name: "link-header", body: linkHeader),
        FuzzTarget(name: "retry-after", body: retryAfter),
        FuzzTarget(name: "addresses", body: addresses),
        FuzzTarget(name: "typed-texts", body: typedTexts),
        FuzzTarget(name: "shown-text", body: shownText),
        FuzzTarget(name: "stored", body: stored),
        FuzzTarget(name: "github-lists", body: gitHubLists),
        FuzzTarget(name: "github-details", body: gitHubDetails),
        FuzzTarget(name: "github-oauth", body: gitHubOAuth),
        FuzzTarget(name: "rick-and-morty", body: rickAndMorty),
        FuzzTarget(name: "app-store", body: appStore),
        FuzzTarget(name: "cached-responses", body: cachedResponses),
        FuzzTarget(name: "repeated-rows", body: repeatedRows),
        FuzzTarget(name: "raw-responses", body: rawResponses),
    ]

    /// Runs libFuzzer, which reads its options from the command line.
    ///
    /// - Returns: The exit status.
    func run() -> CInt {
        // libFuzzer doesn't replace existing signal handlers, and with Swift's it wouldn't save the input that crashed.
        if ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil {
            for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { signal(number, SIG_DFL) }
        }
        Self.running.withLock { $0 = self }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        return LLVMFuzzerRunDriver(&count, &arguments, takeOneInput)
    }

    /// The current target; a C function can't capture it.
    fileprivate static let running = Mutex<FuzzTarget?>(nil)
}

/// The callback of libFuzzer; debug builds need this symbol to link.
@_cdecl("LLVMFuzzerTestOneInput")
func takeOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.running.withLock { $0 }?.body(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the process if a condition is false, so that libFuzzer saves the input.
func require(_ condition: Bool, _ what: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
    guard condition else { fatalError("Violated: \(what())", file: file, line: line) }
}

/// The current time of all targets: 2026-01-02 03:04:05 UTC.
let now = Date(timeIntervalSince1970: 1_767_323_045)
