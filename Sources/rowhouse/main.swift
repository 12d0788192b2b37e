import Glibc

// Only a call, because closures at top level belong to the main actor.
exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
