// What Apple's Foundation consists of: the sources it shares with Linux (FoundationEssentials and
// FoundationInternationalization, which are not modules of their own on Apple platforms), and Darwin.
//
// Dispatch is left out although Foundation's headers include it: a file that uses its members imports it.

@_exported public import Darwin
@_exported public import FoundationEssentials
@_exported public import FoundationInternationalization
@_exported public import ObjectiveC

func standIn() -> Never { fatalError() }
