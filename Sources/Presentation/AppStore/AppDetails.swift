public import BrowseAppStoreDomain
public import BrowseDomain
public import BrowsePresentation

/// The product page of an app; a missing value is `nil`, or has a text that says so.
///
/// The properties have the App Store's order. ``sections`` lists those with content.
public struct AppDetails: EntityDetails {
    /// The app.
    public let app: AppStore.App
    /// The icon, the name, the genre, and the values to share.
    public let main: Main
    /// The most important facts, such as the rating.
    public let summary: Summary
    /// The addresses of the screenshots.
    public let screenshots: [WebAddress]
    let description: ExpandableText?
    /// The changes in the current version.
    public let whatsNew: WhatsNew?
    /// The provider, size, languages, age rating, price, version, compatibility, and release date.
    public let facts: [Fact]
    /// The sections that have content, in order.
    public let sections: [Section]

    /// The header of a page.
    public struct Main: Equatable, Sendable {
        /// The address of the largest icon.
        public let icon: WebAddress?
        /// The name.
        public let name: String
        /// The genre; `nil` if it's unknown.
        public let genre: String?
        /// The values to share.
        public let share: Share
    }

    /// The values to share about an app.
    public struct Share: Hashable, Sendable {
        /// The web page of the app.
        public let link: WebAddress
        /// The title to share: the name of the app.
        public let title: String
        /// The address of the largest icon.
        public let icon: WebAddress?
    }

    /// The most important facts about an app.
    public struct Summary: Equatable, Sendable {
        /// The rating; `nil` if there is none.
        public let rating: RatingLabel?
        /// The average rating, or a text for an app without ratings.
        public let ratingText: String
        /// The age rating, such as `12+`, or a text for an unknown one.
        public let age: String
        /// The genre, or a text for an unknown one.
        public let genre: String
        /// The developer's name, or a text for an unknown one.
        public let developer: String
        /// One language and the number of other languages, or a text for unknown ones.
        public let languages: String
        /// The rating, age, genre, developer, and languages.
        public let facts: [Fact]
    }

    /// The changes in a version.
    public struct WhatsNew: Equatable, Sendable {
        /// The version, such as `Version 2.10`; `nil` if it's unknown.
        public let version: String?
        /// The day of the release; `nil` if it's unknown.
        public let date: String?
        /// The release notes, in the language of the storefront.
        public let notes: String
    }

    /// A section of a page.
    public struct Section: Identifiable, Equatable, Sendable {
        /// The kind of section.
        public enum Kind: Hashable, Sendable {
            /// The section with ``AppDetails/main``.
            case main
            /// The section with ``AppDetails/summary``.
            case summary
            /// The section with ``AppDetails/screenshots``.
            case screenshots
            /// The section with the description, which is in the state of the screen.
            case description
            /// The section with ``AppDetails/whatsNew``.
            case whatsNew
            /// The section with ``AppDetails/facts``.
            case info
        }

        /// The kind of section.
        public let kind: Kind
        /// The localized heading; `nil` if the section has none.
        public let title: String?

        /// The kind.
        public var id: Kind { kind }
    }
}
