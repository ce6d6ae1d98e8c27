package import BrowseDomain

/// Why a scripted response isn't used, or not all of it.
package enum ScriptedFault: Sendable {
    /// It lacks the evidence of its service, so it counts as a proxy's; of a success, with the
    /// problem.
    case unproven(status: Int, problem: BrowseError.UnusableResponse?)
    /// The body can't be decoded, or a number of its rows can't.
    case undecodable(BrowseError.UnusableResponse, rowCount: Int?)
}
