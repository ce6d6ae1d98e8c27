public import BrowseData
import BrowseDomain
import Foundation

/// The rules of `ResponseStore`. Each needs a new, empty store.
public enum ResponseStoreConformance {
    /// The rules for every store.
    public static var rules: [ConformanceRule<any ResponseStore>] {
        [
            ConformanceRule("A new store has no responses.") { store, require in
                let (head, response) = (try await store.head(of: key("a")), try await store.response(for: key("a")))
                try require(head == nil && response == nil, "it has one.")
                try await store.remove(key("a"))
            },
            ConformanceRule("A stored response is read unchanged, for its own key.") { store, require in
                let keys = [key("a"), key("a", of: "user 1"), key("a\n가 b?c=\u{0}", of: "user 2")]
                for (number, key) in keys.enumerated() { try await store.store(record(number), for: key) }
                for (number, key) in keys.enumerated() {
                    let (head, response) = (try await store.head(of: key), try await store.response(for: key))
                    try require(head == record(number).head, "the head of \(key) differs.")
                    try require(response == record(number), "the response of \(key) differs.")
                }
            },
            ConformanceRule("A later response replaces an earlier one; an empty body is a body.") { store, require in
                try await store.store(record(1), for: key("a"))
                let empty = ResponseRecord(head: Data("head".utf8), body: Data())
                try await store.store(empty, for: key("a"))
                let (head, response) = (try await store.head(of: key("a")), try await store.response(for: key("a")))
                try require(response == empty, "\(String(describing: response)).")
                try require(head == empty.head, "the head is that of the earlier one.")
            },
            ConformanceRule("A head is replaced if the response hasn't changed.") { store, require in
                try await store.store(record(1), for: key("a"))
                let new = Data("new".utf8)
                try await store.replaceHead(record(1).head, with: new, of: key("a"))
                try await store.replaceHead(record(1).head, with: Data("wrong".utf8), of: key("a"))
                let response = try await store.response(for: key("a"))
                try require(
                    response == ResponseRecord(head: new, body: record(1).body),
                    "\(String(describing: response))."
                )
                let head = try await store.head(of: key("a"))
                try require(head == new, "the head is read as it was.")
                try await store.replaceHead(new, with: new, of: key("b"))
                let other = try await store.response(for: key("b"))
                try require(other == nil, "replacing a missing head stored a response.")
            },
            ConformanceRule("A removed response is gone.") { store, require in
                for text in ["a", "b"] { try await store.store(record(1), for: key(text)) }
                try await store.remove(key("a"))
                let (removed, other) = (try await store.head(of: key("a")), try await store.head(of: key("b")))
                let response = try await store.response(for: key("a"))
                try require(removed == nil && response == nil, "it's still there.")
                try require(other != nil, "another one is gone too.")
            },
            ConformanceRule("Erasing an account erases all of its responses, and no others.") { store, require in
                let accounts: [String?] = [nil, "user 1", "user 10"]
                for account in accounts {
                    for number in 0..<20 { try await store.store(record(number), for: key("\(number)", of: account)) }
                }
                try await store.removeAll(of: "user 1")
                for account in accounts {
                    for number in 0..<20 {
                        let head = try await store.head(of: key("\(number)", of: account))
                        try require((head == nil) == (account == "user 1"), "\(account ?? "nil"), \(number).")
                    }
                }
                try await store.removeAll(of: nil)
                let last = try await store.head(of: key("1", of: "user 10"))
                try require(last == nil, "erasing everything left a response.")
            },
        ]
    }

    /// Keys of `ResponseCache` contain the account too.
    private static func key(_ text: String, of account: String? = nil) -> ResponseKey {
        ResponseKey(text: text + "\n" + (account ?? ""), account: account)
    }

    private static func record(_ number: Int) -> ResponseRecord {
        ResponseRecord(head: Data("head \(number)\n".utf8), body: Data((0...255).map { UInt8($0) ^ UInt8(number) }))
    }
}
