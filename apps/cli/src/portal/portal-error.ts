/** What kept a command from doing its work with a portal: the sentence goes to stderr, the exit code is 2. */
export class PortalError extends Error {}

/** The portal is not there at the moment. */
export class UnreachableError extends PortalError {}
