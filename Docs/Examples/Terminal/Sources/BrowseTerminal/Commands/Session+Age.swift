import BrowseDomain
import BrowseKit
import BrowsePresentation
import Foundation

extension Session {
    /// From when something is that was not fresh, for a person; `nil` when it is as the server has it.
    func age(of provenance: Provenance?) -> String? {
        guard let provenance = provenance.map(told), let date = provenance.date,
            let text = container.texts().age(of: provenance)
        else { return nil }
        return "\(text) · \(words.relative(date, to: container.configuration.now()))"
    }

    /// Where something came from, for programs.
    func source(of provenance: Provenance?) -> [String: JSON] {
        guard let provenance = provenance.map(told) else { return ["source": .null, "since": .null] }
        let name =
            switch provenance {
            case .fresh: "fresh"
            case .revalidated: "revalidated"
            case .stale: "stale"
            case .offline: "offline"
            }
        return ["source": .text(name), "since": JSON(provenance.date?.formatted(.iso8601))]
    }

    /// Says on the error output from when something is, where the output has no place for it.
    func noteAge(of provenance: Provenance?) {
        guard !isJSON, let age = age(of: provenance) else { return }
        note(age)
    }

    /// The SDK was told to send nothing; when the person has not asked for that, nobody knows whether there is a network.
    private func told(_ provenance: Provenance) -> Provenance {
        if looksAtKept, case .offline(let date) = provenance { return .stale(since: date) }
        return provenance
    }
}
