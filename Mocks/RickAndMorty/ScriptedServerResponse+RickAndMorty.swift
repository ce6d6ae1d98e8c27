public import BrowseCoreMocks

extension ScriptedServer.Response {
    /// The Rick and Morty API's response for something that doesn't exist, or for an empty page.
    public static var rickAndMortyNotFound: ScriptedServer.Response {
        .fixture("error-nothing-here", in: .rickAndMorty, status: 404)
    }
}
