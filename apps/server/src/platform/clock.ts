/** The current time, which tests can set. Leases and e-mails use the database's clock instead. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
