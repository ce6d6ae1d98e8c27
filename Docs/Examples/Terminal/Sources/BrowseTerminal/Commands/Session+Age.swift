import BrowseKit
import Foundation

extension Session {
    /// Returns the age of cached data; `nil` for fresh data.
    func age(of provenance: Provenance?) -> String? {
        guard let provenance = provenance.map(adjusted), let text = container.texts().age(of: provenance)
        else { return nil }
        guard let date = provenance.date else { return text }
        let now = container.configuration.now()
        // The clock that wrote the date can be ahead.
        return "\(text) · \(texts.relative(min(date, now), to: now))"
    }

    /// Returns the provenance for programs.
    func source(of provenance: Provenance?) -> [String: JSON] {
        guard let provenance = provenance.map(adjusted) else { return ["source": .null, "since": .null] }
        let name =
            switch provenance {
            case .fresh: "fresh"
            case .revalidated: "revalidated"
            case .stale: "stale"
            case .offline: "offline"
            case .saved: "saved"
            }
        return ["source": .text(name), "since": JSON(provenance.date?.formatted(.iso8601))]
    }

    /// Prints the age of cached data on the error output.
    func printAge(of provenance: Provenance?) {
        guard !isJSON, let age = age(of: provenance) else { return }
        printNote(age)
    }

    /// Replaces `.offline` for `--cached`, which doesn't check the connection.
    private func adjusted(_ provenance: Provenance) -> Provenance {
        if isCacheOnly, case .offline(let date) = provenance { return .stale(since: date) }
        return provenance
    }
}
