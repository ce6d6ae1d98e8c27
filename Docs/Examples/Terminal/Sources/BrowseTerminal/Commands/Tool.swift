import ArgumentParser
import BrowseData
import BrowseKit
import Foundation

/// The command-line tool.
package enum Tool {
    /// Runs a command, and returns its outcome.
    @MainActor
    package static func run(_ arguments: [String], in context: ProcessContext) async -> Outcome {
        let command: any ParsableCommand
        do {
            command = try Browse.parseAsRoot(arguments)
            guard command is any ScreenCommand else {
                // Help and completions are thrown as errors.
                var command = command
                try command.run()
                return .success
            }
        } catch {
            // The options aren't known; the value of one can't begin with a hyphen.
            return report(error, isJSON: arguments.prefix { $0 != "--" }.contains("--json"), in: context)
        }
        guard let screen = command as? any ScreenCommand else { return .failure }
        return await show(screen, in: context)
    }

    @MainActor
    private static func show(_ command: any ScreenCommand, in context: ProcessContext) async -> Outcome {
        let options = command.common
        let environment = context.environment
        func colored(_ sink: Sink) -> Sink {
            var sink = sink
            sink.hasColor = options.color.isOn(terminal: sink.isTerminal, environment: environment)
            return sink
        }
        let errors = colored(context.errors)
        var configuration: Configuration
        do {
            configuration = try options.configuration(environment)
        } catch {
            guard let error = error as? Token.Problem else {
                return report(error, isJSON: options.json, in: context)
            }
            let texts = Texts(locale: options.readerLocale(environment), timeZone: .gmt)
            let text = texts(error.phrase)
            let line = options.json ? Line(JSON.error(text)) : Line("browse: ", .error).adding(text)
            try? errors.print([line])
            return .usage
        }
        if options.verbose {
            let writer = LineWriter(errors)
            configuration.observers.append(ExchangePrinter { writer.print(Line($0, .dim)) })
        }
        var output = colored(context.output)
        if options.table { output.isTerminal = true }
        func session(_ configuration: Configuration) -> Session {
            let container = context.makeContainer(configuration, options.offlineScenario)
            return Session(
                container: container,
                texts: container.texts(),
                output: output,
                errors: errors,
                isJSON: options.json,
                // Log lines would break a line that is updated in place.
                canErase: environment["TERM", default: ""] != "dumb" && !options.verbose,
                isTrueColor: ["truecolor", "24bit"].contains(environment["COLORTERM"]),
                decoder: context.decoder,
                stopSignal: context.stopSignal
            )
        }
        var outcome: Outcome?
        if options.cached {
            var cacheOnly = configuration
            cacheOnly.loadPolicy = .offline
            outcome = await showCached(command, in: session(cacheOnly))
        }
        if outcome == nil {
            let session = session(configuration)
            do throws(Sink.Failure) {
                outcome = try await command.show(in: session)
            } catch {
                outcome = session.outcome(of: error)
            }
        }
        return outcome ?? .failure
    }

    /// Shows cached data; returns `nil` without writing if some of it isn't cached.
    @MainActor
    private static func showCached(_ command: any ScreenCommand, in session: Session) async -> Outcome? {
        let buffer = BufferedOutput(output: session.output, errors: session.errors)
        var buffered = session
        (buffered.output, buffered.errors) = (buffer.bufferedOutput, buffer.bufferedErrors)
        (buffered.canErase, buffered.isCacheOnly) = (false, true)
        do throws(Sink.Failure) {
            let outcome = try await command.show(in: buffered)
            guard outcome != .network else { return nil }
            try buffer.release()
            return outcome
        } catch {
            return session.outcome(of: error)
        }
    }

    /// Prints help on the output, and errors in arguments on the error output.
    private static func report(_ error: any Error, isJSON: Bool, in context: ProcessContext) -> Outcome {
        let isHelp = Browse.exitCode(for: error).isSuccess
        let sink = isHelp ? context.output : context.errors
        guard isHelp || !isJSON else {
            try? sink.print([Line(JSON.error(Browse.message(for: error)))])
            return .usage
        }
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
    /// Returns the outcome of a run whose output can't be written.
    fileprivate func outcome(of failure: Sink.Failure) -> Outcome {
        guard case .system(let code) = failure else { return .outputClosed }
        printError(texts(.outputFailed(String(cString: strerror(code)))))
        return .failure
    }
}
