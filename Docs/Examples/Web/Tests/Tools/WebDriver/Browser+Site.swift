import Foundation

/// What people do on the pages of the site.
extension Browser {
    /// The path and query of the page.
    public var location: String {
        get async throws {
            let url = try await url
            return url.path() + (url.query().map { "?\($0)" } ?? "")
        }
    }

    /// Clicks the link with a text, and waits for its page.
    public func follow(_ text: String) async throws {
        try await waitForNavigation {
            try await click("the link “\(text)”") {
                for link in try await findAll("a") where try await link.text == text { return link }
                return nil
            }
        }
    }

    /// Clicks the button with an accessible name, once it exists.
    public func press(button name: String) async throws {
        try await click("the button “\(name)”") {
            if let labeled = try await findAll("button[aria-label=\"\(name)\"]").first { return labeled }
            for button in try await findAll("button") where try await button.text == name { return button }
            return nil
        }
    }

    /// Waits until the page is at an address.
    public func wait(forLocation address: String) async throws {
        try await wait(until: "the address \(address)") { try await location == address }
    }

    /// Waits until the rows have titles.
    public func wait(forTitles titles: [String]) async throws {
        try await wait(until: "the rows \(titles)") { try await rowTitles == titles }
    }

    /// Clicks the favorite mark of a thing, and waits until the page shows the change.
    public func setFavorite(_ name: String, _ isFavorite: Bool = true) async throws {
        try await click(Self.favorite(name, !isFavorite))
        try await waitForFavorite(name, isFavorite)
    }

    /// Waits until a thing is shown as a favorite, or not as one.
    public func waitForFavorite(_ name: String, _ isFavorite: Bool = true) async throws {
        try await wait(for: Self.favorite(name, isFavorite))
    }

    private static func favorite(_ name: String, _ isFavorite: Bool) -> String {
        "button.favorite[aria-label=\"Favorite: \(name)\"][aria-pressed=\(isFavorite)]"
    }

    /// The titles of the rows.
    public var rowTitles: [String] {
        get async throws {
            let titles = try await execute(
                "return [...document.querySelectorAll('.row article :is(h2, h3, h4)')].map(title => title.textContent.trim())"
            )
            return (titles.array ?? []).compactMap(\.string)
        }
    }
}
