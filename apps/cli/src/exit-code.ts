/** What the shell is told. */
export const ExitCode = { Passed: 0, NotPassed: 1, WrongArguments: 2 } as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** The command cannot be carried out as it was given: its message goes to stderr, the exit code is 2. */
export class UsageError extends Error {}
