#if os(macOS)
import AppKit

/// Makes an app of an executable without a bundle, such as one that `swift run` starts.
///
/// Without a bundle, macOS gives a process no icon in the Dock, no menu bar, and no keyboard focus.
final class AppDelegate: NSObject, NSApplicationDelegate {
    func applicationWillFinishLaunching(_ notification: Notification) {
        if Self.hasNoBundle { NSApplication.shared.setActivationPolicy(.regular) }
    }

    func applicationDidFinishLaunching(_ notification: Notification) {
        if Self.hasNoBundle { NSApplication.shared.activate() }
    }

    private static var hasNoBundle: Bool { Bundle.main.bundleIdentifier == nil }
}
#endif
