/// Receives responses sent later. Every method can be called from any thread.
package protocol ReplySink: AnyObject, Sendable {
  func deliver(_ response: Response, for ticket: Ticket)
  func resume(_ ticket: Ticket)
  func abandon(_ ticket: Ticket)
}
