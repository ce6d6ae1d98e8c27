/// The screens of the site, by their paths.
enum Screens {
    /// All screens. A path with a fixed segment comes before one with a value in its place.
    static let all: [any Screen.Type] = [
        UserSearchScreen.self
    ]

    /// Returns the screen at an address; `nil` if there is none.
    static func screen(at address: PageAddress) -> (any Screen)? {
        for type in all {
            guard let parameters = address.parameters(of: type.path) else { continue }
            var address = address
            address.parameters = parameters
            return type.init(address)
        }
        return nil
    }
}
