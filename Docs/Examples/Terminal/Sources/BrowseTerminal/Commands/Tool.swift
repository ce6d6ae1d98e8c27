import ArgumentParser
import BrowseData
import BrowseDomain
import BrowseKit
import BrowsePresentation
import Foundation

/// One run of the tool, from its arguments to its exit code.
package enum Tool {
    /// Parses the arguments, does what they say, and tells how it ended.
    @MainActor
    package static func run(_ arguments: [String], in surroundings: Surroundings) async -> Outcome {
        let command: any ParsableCommand
        do {
            command = try Browse.parseAsRoot(arguments)
            guard command is any ScreenCommand else {
                // Help, and what else the parser does by itself, arrives as an error.
                var command = command
                try command.run()
                return .success
            }
        } catch {
            return report(error, in: surroundings)
        }
        guard let screen = command as? any ScreenCommand else { return .failure }
        return await show(screen, in: surroundings)
    }

    @MainActor
    private static func show(_ command: any ScreenCommand, in surroundings: Surroundings) async -> Outcome {
        let options = command.common
        let environment = surroundings.environment
        func colored(_ sink: Sink) -> Sink {
            var sink = sink
            sink.hasColor = options.color.isOn(terminal: sink.isTerminal, environment: environment)
            return sink
        }
        let errors = colored(surroundings.errors)
        var configuration: Configuration
        do {
            configuration = try options.configuration(environment)
        } catch {
            guard let error = error as? Token.Problem else { return report(error, in: surroundings) }
            let words = Words(locale: options.readerLocale(environment))
            try? errors.print([Line("browse: ", .alarm).adding(words(error.phrase))])
            return .usage
        }
        if options.verbose {
            let writer = LineWriter(errors)
            configuration.observers.append(ExchangePrinter { writer.print(Line($0, .dim)) })
        }
        let output = colored(surroundings.output)
        var containers: [Container] = []
        func session(_ configuration: Configuration) -> Session {
            let container = surroundings.makeContainer(configuration, options.offlineScenario)
            containers.append(container)
            return Session(
                container: container,
                words: Words(container.texts()),
                output: output,
                errors: errors,
                isJSON: options.json,
                // A line that is written over in place would be torn by those between.
                canErase: environment["TERM", default: ""] != "dumb" && !options.verbose,
                isTrueColor: ["truecolor", "24bit"].contains(environment["COLORTERM"]),
                decoder: surroundings.decoder,
                stopSignal: surroundings.stopSignal
            )
        }
        var outcome: Outcome?
        if options.cached {
            var kept = configuration
            kept.loadPolicy = .offline
            outcome = await showKept(command, in: session(kept))
        }
        if outcome == nil {
            let session = session(configuration)
            do throws(Sink.Failure) {
                outcome = try await command.show(in: session)
            } catch {
                outcome = session.outcome(of: error)
            }
        }
        // Events are delivered beside the requests; the process exits after this.
        for container in containers { await container.flushEvents() }
        return outcome ?? .failure
    }

    /// Shows what was seen before; `nil`, with nothing written, when some of it was not.
    @MainActor
    private static func showKept(_ command: any ScreenCommand, in session: Session) async -> Outcome? {
        let held = HeldOutput(output: session.output, errors: session.errors)
        let quiet = Session(
            container: session.container,
            words: session.words,
            output: held.heldOutput,
            errors: held.heldErrors,
            isJSON: session.isJSON,
            canErase: false,
            isTrueColor: session.isTrueColor,
            decoder: session.decoder,
            looksAtKept: true,
            stopSignal: session.stopSignal
        )
        do throws(Sink.Failure) {
            let outcome = try await command.show(in: quiet)
            guard outcome != .network else { return nil }
            try held.release()
            return outcome
        } catch {
            return session.outcome(of: error)
        }
    }

    /// Help goes to the output, complaints about the arguments to the error output.
    private static func report(_ error: any Error, in surroundings: Surroundings) -> Outcome {
        let isHelp = Browse.exitCode(for: error).isSuccess
        let sink = isHelp ? surroundings.output : surroundings.errors
        let text = Browse.fullMessage(for: error, columns: sink.isTerminal ? sink.columns() : nil)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Line(String($0)) }
        do throws(Sink.Failure) {
            try sink.print(lines)
        } catch {
            guard isHelp else { return .usage }
            return error == .closed ? .outputClosed : .failure
        }
        return isHelp ? .success : .usage
    }
}

extension Session {
    /// How a run ends whose output cannot be written.
    fileprivate func outcome(of failure: Sink.Failure) -> Outcome {
        guard case .system(let code) = failure else { return .outputClosed }
        complain(words(.outputFailed(String(cString: strerror(code)))))
        return .failure
    }
}
