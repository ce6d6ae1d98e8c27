/// A transport of a test, which learns which of its responses aren't used.
package protocol ScriptedTransport: HTTPTransport {
    /// Called for each response with a fault.
    func didFind(_ fault: ScriptedFault, inResponseTo request: HTTPClient.Request)
}
