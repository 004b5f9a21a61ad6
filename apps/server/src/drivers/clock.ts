/**
 * The present, as one thing that tests can set. Leases and mails use the database's time instead
 * (reliability, F28).
 */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
