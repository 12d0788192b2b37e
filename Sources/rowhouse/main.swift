import Glibc

// Everything else is in ordinary functions: closures made at top level belong to the main actor.
exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
