package import BrowseDomain

extension ConformanceRule {
    /// The rules of a list that has at least two pages.
    ///
    /// - Parameters:
    ///   - list: The name of the list in the rules.
    ///   - read: Reads a page.
    package static func list<Row: Identifiable & Sendable>(
        _ list: String,
        read: @escaping @Sendable (Subject, PageCursor?) async throws(BrowseError) -> Page<Row>
    ) -> [ConformanceRule] where Row.ID: Sendable {
        [
            ConformanceRule("The pages of \(list) contain each row once.") { subject, require in
                let pages = try await allPages { cursor throws(BrowseError) in try await read(subject, cursor) }
                try require(pages.count >= 2, "it has a single page; choose a longer list.")
                try require(pages.count < pageLimit, "it doesn't end after \(pageLimit) pages.")
                try require(!pages.contains { $0.items.isEmpty }, "a page is empty.")
                let ids = pages.flatMap(\.items).map(\.id)
                try require(Set(ids).count == ids.count, "\(ids.count - Set(ids).count) rows are repeated.")
            },
            ConformanceRule("A page of \(list) is the same when it's read again.") { subject, require in
                let first = try await read(subject, nil)
                for cursor in [nil, first.next] {
                    let ids = try await read(subject, cursor).items.map(\.id)
                    let again = try await read(subject, cursor).items.map(\.id)
                    try require(ids == again, "\(ids) become \(again).")
                }
            },
            ConformanceRule("A cursor of another list isn't accepted in \(list).") { subject, require in
                let cursor = PageCursor(rawValue: "https://conformance.invalid/elsewhere?page=2")
                let result = await outcome { () throws(BrowseError) in try await read(subject, cursor) }
                guard case .failure(.refused) = result else { return try require(false, describe(result)) }
            },
            ConformanceRule("A canceled read of \(list) is `.cancelled`.") { subject, require in
                let result = await canceled { () throws(BrowseError) in try await read(subject, nil) }
                guard case .failure(.cancelled) = result else { return try require(false, describe(result)) }
            },
        ]
    }

    /// A rule for a read of something that doesn't exist.
    package static func notFound<Value: Sendable>(
        _ name: String,
        read: @escaping @Sendable (Subject) async throws(BrowseError) -> Value
    ) -> ConformanceRule {
        ConformanceRule("\(name) is `.notFound`.") { subject, require in
            let result = await outcome { () throws(BrowseError) in try await read(subject) }
            guard case .failure(.notFound) = result else { return try require(false, describe(result)) }
        }
    }

    /// A rule for the cancellation of a call.
    package static func cancellation<Value: Sendable>(
        _ name: String,
        call: @escaping @Sendable (Subject) async throws(BrowseError) -> Value
    ) -> ConformanceRule {
        ConformanceRule("A canceled \(name) is `.cancelled`.") { subject, require in
            let result = await canceled { () throws(BrowseError) in try await call(subject) }
            guard case .failure(.cancelled) = result else { return try require(false, describe(result)) }
        }
    }
}

/// The number of pages after which a list counts as endless.
private let pageLimit = 10_000

/// A text that nothing matches.
package let unmatchedText = "conformance-6e1f9b"

/// Reads a list to its end.
package func allPages<Row: Sendable>(
    _ read: (PageCursor?) async throws(BrowseError) -> Page<Row>
) async throws(BrowseError) -> [Page<Row>] {
    var pages: [Page<Row>] = []
    var cursor: PageCursor?
    repeat {
        let page = try await read(cursor)
        pages.append(page)
        cursor = page.next
    } while cursor != nil && pages.count < pageLimit
    return pages
}

/// The result of a call.
package func outcome<Value>(_ call: () async throws(BrowseError) -> Value) async -> Result<Value, BrowseError> {
    do throws(BrowseError) { return .success(try await call()) } catch { return .failure(error) }
}

/// The result of a call in a task that is canceled before the call.
package func canceled<Value: Sendable>(
    _ call: @escaping @Sendable () async throws(BrowseError) -> Value
) async -> Result<Value, BrowseError> {
    await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await outcome(call)
    }.value
}

/// A result in a violation.
package func describe(_ result: Result<some Any, BrowseError>) -> String {
    switch result {
    case .success: "it succeeds."
    case .failure(let error): "it fails with \(error)."
    }
}
