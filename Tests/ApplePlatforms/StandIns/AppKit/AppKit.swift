// Declarations of Apple's AppKit as of macOS 15, from developer.apple.com/documentation/appkit.

#if os(macOS)
@_exported public import CoreGraphics
@_exported public import Foundation

@MainActor open class NSResponder: NSObject {}

@MainActor open class NSApplication: NSResponder {
    public enum ActivationPolicy: Int, Sendable { case regular, accessory, prohibited }

    open class var shared: NSApplication { standIn() }
    @discardableResult open func setActivationPolicy(_ activationPolicy: ActivationPolicy) -> Bool { standIn() }
    open func activate() { standIn() }
}

@MainActor
public protocol NSApplicationDelegate: NSObjectProtocol {
    func applicationWillFinishLaunching(_ notification: Notification)
    func applicationDidFinishLaunching(_ notification: Notification)
}

// The methods are optional.
extension NSApplicationDelegate {
    public func applicationWillFinishLaunching(_ notification: Notification) { standIn() }
    public func applicationDidFinishLaunching(_ notification: Notification) { standIn() }
}

func standIn() -> Never { fatalError() }
#endif
