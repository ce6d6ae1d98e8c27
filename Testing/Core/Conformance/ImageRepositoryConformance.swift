public import BrowseDomain

/// The rules of `ImageRepository`. Each needs a new repository.
public enum ImageRepositoryConformance {
    /// The rules for every repository.
    ///
    /// - Parameters:
    ///   - request: A request for an image.
    ///   - missing: A request for an image that doesn't exist.
    public static func rules(
        image request: ImageRequest,
        missing: ImageRequest
    ) -> [ConformanceRule<any ImageRepository>] {
        [
            ConformanceRule("An image is the same each time, also from memory.") { images, require in
                let first = try await images.image(for: request)
                let second = try await images.image(for: request)
                try require(first == second, "it differs the second time.")
                if let cached = images.cachedImage(for: request) {
                    try require(cached == first, "it differs in memory.")
                }
                images.releaseMemory()
                let third = try await images.image(for: request)
                try require(third == first, "it differs after memory was released.")
            },
            ConformanceRule("A missing image is an error, also after it was invalidated.") { images, require in
                for _ in 1...2 {
                    let result = await outcome { () throws(BrowseError) in try await images.image(for: missing) }
                    guard case .failure(let error) = result, error != .cancelled else {
                        return try require(false, describe(result))
                    }
                    try require(images.cachedImage(for: missing) == nil, "it's in memory.")
                    await images.invalidate(missing)
                }
            },
            .cancellation("load") { images throws(BrowseError) in try await images.image(for: request) },
            ConformanceRule("A canceled load doesn't end the others.") { images, require in
                let tasks = (0..<10).map { _ in
                    Task { await outcome { () throws(BrowseError) in try await images.image(for: request) } }
                }
                for (index, task) in tasks.enumerated() where !index.isMultiple(of: 2) { task.cancel() }
                for (index, task) in tasks.enumerated() where index.isMultiple(of: 2) {
                    let result = await task.value
                    guard case .success = result else { return try require(false, describe(result)) }
                }
            },
        ]
    }
}
