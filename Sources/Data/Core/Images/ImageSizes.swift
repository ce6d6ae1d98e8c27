/// The sizes in which a server offers its images.
///
/// Few sizes let screens share images.
public struct ImageSizes: Hashable, Sendable {
    let prefix: String
    let parameter: String
    private let sides: [Int]

    /// Creates a description of a server's sizes.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the images' addresses, such as `https://covers.example/`.
    ///   - parameter: The name of the query item that requests a size; letters, digits, and `-._~` only.
    ///   - sides: The sizes to request, in pixels. A view gets the smallest that isn't smaller than the view, else the largest.
    public init(prefix: String, parameter: String, sides: [Int]) {
        self.prefix = prefix
        self.parameter = parameter
        self.sides = sides.sorted()
    }

    /// Returns the side to request for a view.
    func side(for wanted: Int) -> Int? { sides.first { $0 >= wanted } ?? sides.last }
}
