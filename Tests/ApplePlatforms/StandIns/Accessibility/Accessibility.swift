// Declarations of Apple's Accessibility, from developer.apple.com/documentation/accessibility.

public enum AccessibilityNotification {
    public struct Announcement {
        public init(_ announcement: String) { fatalError() }
        public func post() { fatalError() }
    }
}
