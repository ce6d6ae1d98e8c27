/// Compares with a number that a 32-bit `Int` doesn't hold.
func literalProbe(_ number: Int) -> Bool { number == 0x8950_4E47 }
