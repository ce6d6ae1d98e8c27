public import BrowseDomain

/// An app as its page shows it: every field has a text, also where the shop told nothing.
///
/// The properties stand in the shop's order; ``sections`` tells which of them the page has.
public struct AppDetails: Equatable, Sendable {
    /// The app behind the texts.
    public let app: AppStore.App
    /// The head of the page.
    public let main: Main
    /// The app at a glance.
    public let summary: Summary
    /// Pictures of the app in use.
    public let screenshots: [WebAddress]
    /// What it says of itself.
    public let description: FoldingText?
    /// What is new in its version.
    public let whatsNew: WhatsNew?
    /// What else there is to know, one row for each ``InfoRow/Kind``, in order.
    public let info: [InfoRow]
    /// The parts of the page that have contents, in the shop's order.
    public let sections: [Section]

    /// The head of a page.
    public struct Main: Equatable, Sendable {
        /// The icon.
        public let icon: WebAddress?
        /// The app's name.
        public let name: String
        /// The genre, when the shop told one.
        public let genre: String?
        /// What is shared of it.
        public let share: Share
    }

    /// What is handed to others.
    public struct Share: Hashable, Sendable {
        /// Where the app is.
        public let link: WebAddress
        /// Its name.
        public let title: String
        /// Its icon.
        public let icon: WebAddress?
    }

    /// An app at a glance.
    public struct Summary: Equatable, Sendable {
        /// How it is rated; `nil` when too few people did.
        public let rating: RatingLabel?
        /// The average, or that there are too few ratings.
        public let ratingText: String
        /// The age as the shop writes it, or that it is not stated.
        public let age: String
        /// The genre, or that it is not stated.
        public let genre: String
        /// The developer, or that none is stated.
        public let developer: String
        /// One language and how many more there are, or that none is stated.
        public let languages: String
    }

    /// What is new in a version.
    public struct WhatsNew: Equatable, Sendable {
        /// The version: `Version 2.10`.
        public let version: String?
        /// The day it came out.
        public let date: String?
        /// What its developer says of it.
        public let notes: String
    }

    /// One fact about an app.
    public struct InfoRow: Identifiable, Equatable, Sendable {
        /// Which fact it is.
        public enum Kind: Hashable, Sendable, CaseIterable {
            /// Who sells it.
            case provider
            /// How much there is to download.
            case size
            /// Which languages it speaks.
            case languages
            /// From which age it is suitable.
            case age
            /// What it costs.
            case price
            /// Which version it is.
            case version
            /// The oldest system that it runs on.
            case minimumOS
            /// When it first came out.
            case releaseDate
        }

        /// Which fact it is.
        public let kind: Kind
        /// What to call it.
        public let title: String
        /// The fact, or that it is not stated.
        public let value: String

        /// The kind; there is one row for each.
        public var id: Kind { kind }
    }

    /// A part of a page.
    public struct Section: Identifiable, Equatable, Sendable {
        /// Which part.
        public enum Kind: Hashable, Sendable {
            /// ``AppDetails/main``.
            case main
            /// ``AppDetails/summary``.
            case summary
            /// ``AppDetails/screenshots``.
            case screenshots
            /// ``AppDetails/description``.
            case description
            /// ``AppDetails/whatsNew``.
            case whatsNew
            /// ``AppDetails/info``.
            case info
        }

        /// Which part.
        public let kind: Kind
        /// Its heading, where it has one.
        public let title: String?

        /// The kind; a page has each once at most.
        public var id: Kind { kind }
    }
}
