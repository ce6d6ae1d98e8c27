/// The arguments of the command, and the environment.
struct Arguments {
    /// An argument that can't be used.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        Usage: browse-web [--live] [--port PORT]
          --live       uses the real services; sign-in needs GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET
          --port PORT  listens on this port, by default 8080 or that of PORT; 0 is any free port
        """

    private(set) var isLive = false
    private(set) var port = 8080
    let clientID: String?
    let clientSecret: String?

    init(_ arguments: some Collection<String>, environment: [String: String]) throws(Problem) {
        clientID = environment["GITHUB_CLIENT_ID"]
        clientSecret = environment["GITHUB_CLIENT_SECRET"]
        if let text = environment["PORT"], !text.isEmpty { port = try Self.port(text) }
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--live": isLive = true
            case "--port": port = try Self.port(rest.popFirst() ?? "")
            default: throw Problem(description: "Unknown argument: \(argument)")
            }
        }
    }

    private static func port(_ text: String) throws(Problem) -> Int {
        guard let port = Int(text), (0...65_535).contains(port) else {
            throw Problem(description: "Not a port: \(text)")
        }
        return port
    }
}
