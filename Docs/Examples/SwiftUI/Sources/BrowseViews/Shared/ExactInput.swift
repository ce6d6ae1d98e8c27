import Accessibility
import BrowseKit
import SwiftUI

extension View {
    /// Takes text as it is typed, such as an identifier: it isn't corrected or capitalized.
    func exactInput() -> some View {
        #if os(iOS)
        autocorrectionDisabled().textInputAutocapitalization(.never)
        #else
        autocorrectionDisabled()
        #endif
    }
}

/// Lets VoiceOver speak a text that appears away from its cursor.
func announce(_ text: String?) {
    if let text { AccessibilityNotification.Announcement(text).post() }
}

/// Lets VoiceOver speak the title and the text of a message.
func announce(_ message: Message) {
    announce("\(message.title). \(message.text)")
}
