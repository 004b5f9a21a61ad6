/** A command could not do its work with a portal. The message goes to stderr, the exit code is 2. */
export class PortalError extends Error {}

/** The token does not reach the call. */
export class NotAllowedError extends PortalError {}

/** The portal cannot be reached at the moment. */
export class UnreachableError extends PortalError {}
