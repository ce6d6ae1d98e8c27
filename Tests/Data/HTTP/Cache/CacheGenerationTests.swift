import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `Generations of cached responses` {
    @Test func `are limited, and never return to an earlier one`() {
        let memory = CacheMemory()
        let before = memory.generation(of: "a")
        memory.startGeneration(after: .account("a"))
        #expect(memory.generation(of: "a") != before)
        let other = memory.generation(of: "b")
        for number in 0..<3000 { memory.startGeneration(after: .account("\(number)")) }
        #expect(memory.generation(of: "a") > before)
        #expect(memory.generation(of: "b") > other)
        #expect(memory.generationCount <= CacheMemory.maxGenerations)
        let last = memory.generation(of: "b")
        memory.startGeneration(after: .everything)
        #expect(memory.generation(of: "b") > last)
    }
}
