/** The exit codes of the command line. `Failed`: wrong arguments, or a failure of machine or portal. */
export const ExitCode = { Passed: 0, NotPassed: 1, Failed: 2 } as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** A command that cannot be run as given: its message goes to stderr, the exit code is 2. */
export class UsageError extends Error {}

/** A command could not do its work with a portal. The message goes to stderr, the exit code is 2. */
export class PortalError extends Error {}

/** The token does not reach the call. */
export class NotAllowedError extends PortalError {}

/** The portal cannot be reached at the moment. */
export class UnreachableError extends PortalError {}
