/** The portal that clients call. */
export type Target = { address: string; apiKey: string }

/** A clerk with an open session. */
export type Clerk = { userId: number; token: string }

export const headersOf = ({ apiKey }: Target, { token }: Clerk): Record<string, string> => ({
  ApiKey: apiKey,
  Authorization: `Bearer ${token}`,
})
