import Accessibility
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
