// The parts of Apple's Foundation: the sources it shares with Linux (FoundationEssentials and FoundationInternationalization,
// which aren't separate modules on Apple platforms), and Darwin.
//
// Not Dispatch, although Foundation's headers include it: files that use its members import it.

@_exported public import Darwin
@_exported public import FoundationEssentials
@_exported public import FoundationInternationalization
@_exported public import ObjectiveC

func standIn() -> Never { fatalError() }
