// Runs the real window: `desktop-tests` under Xvfb, with xdotool for the keyboard. Ends with 1 if a check fails.
import BrowseKit
import BrowseMocks
import CDesktop
import Foundation

@testable import Desktop

/// The checks so far.
@MainActor
enum Checks {
    private(set) static var count = 0
    private(set) static var failures = 0

    static func expect(_ isTrue: Bool, _ text: String, line: Int = #line) {
        count += 1
        if !isTrue {
            failures += 1
            print("✘ line \(line): \(text)")
        }
    }

    /// Waits for a condition, such as one of GTK, which nothing reports.
    static func eventually(_ text: String, line: Int = #line, _ condition: @MainActor () -> Bool) async {
        for _ in 0..<750 where !condition() { try? await Task.sleep(for: .milliseconds(20)) }
        expect(condition(), text, line: line)
    }
}

/// Presses keys in the window that has the focus, as a person does.
func xdotool(_ arguments: String...) async {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["xdotool"] + arguments
    await withCheckedContinuation { continuation in
        process.terminationHandler = { _ in continuation.resume() }
        do { try process.run() } catch { continuation.resume() }
    }
    if process.terminationStatus != 0 { print("xdotool \(arguments) failed") }
}

guard DesktopWindow.start() else {
    print("There is no display. Run `make desktop-tests`.")
    exit(1)
}
let loop = g_main_loop_new(nil, 0)
Task {
    let start = ContinuousClock.now
    await WindowTests.run()
    let time = (ContinuousClock.now - start).components.seconds
    print("\(Checks.count) checks, \(Checks.failures) failures, \(time) s")
    exit(Checks.failures == 0 ? 0 : 1)
}
g_main_loop_run(loop)
