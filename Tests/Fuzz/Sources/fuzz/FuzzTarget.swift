import Foundation
import LibFuzzer
import Synchronization

/// A part of the SDK that reads what others wrote, and what has to hold for every input.
///
/// To add one, write its body beside the others in Targets, name it in ``all``, and give it a seed or two in Corpus.
struct FuzzTarget: Sendable {
    /// The name, which is that of its folder in Corpus and of its dictionary too.
    let name: String
    /// Takes one input; ends the process when something does not hold.
    let body: @Sendable (_ input: [UInt8]) -> Void

    /// Every target, in the order in which they run.
    static let all: [FuzzTarget] = [
        FuzzTarget(name: "link-header", body: linkHeader),
        FuzzTarget(name: "retry-after", body: retryAfter),
        FuzzTarget(name: "addresses", body: addresses),
        FuzzTarget(name: "typed-texts", body: typedTexts),
        FuzzTarget(name: "excerpt", body: excerpt),
        FuzzTarget(name: "stored", body: stored),
        FuzzTarget(name: "github-lists", body: gitHubLists),
        FuzzTarget(name: "github-details", body: gitHubDetails),
        FuzzTarget(name: "github-oauth", body: gitHubOAuth),
        FuzzTarget(name: "rick-and-morty", body: rickAndMorty),
        FuzzTarget(name: "app-store", body: appStore),
        FuzzTarget(name: "cached-responses", body: cachedResponses),
        FuzzTarget(name: "raw-responses", body: rawResponses),
    ]

    /// Hands the process over to libFuzzer, which reads its options from the command line.
    ///
    /// - Returns: The status to exit with.
    func run() -> CInt {
        // libFuzzer leaves handlers alone that are there already. With Swift's it would not keep the input that crashed.
        if ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil {
            for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] { signal(number, SIG_DFL) }
        }
        Self.running.withLock { $0 = self }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        return LLVMFuzzerRunDriver(&count, &arguments, takeOneInput)
    }

    /// A function of C's keeps nothing, so the target is found here.
    fileprivate static let running = Mutex<FuzzTarget?>(nil)
}

/// What libFuzzer calls; the name is that which its own `main` looks for, and without which a debug build does not link.
@_cdecl("LLVMFuzzerTestOneInput")
func takeOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.running.withLock { $0 }?.body(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the process when something that has to hold does not, so that libFuzzer keeps the input.
func require(_ condition: Bool, _ what: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
    guard condition else { fatalError("It does not hold that \(what())", file: file, line: line) }
}

/// The time at which everything here happens: 2026-01-02 03:04:05 UTC.
let now = Date(timeIntervalSince1970: 1_767_323_045)
