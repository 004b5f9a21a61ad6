/** What a program may do with a token of a company. See docs/BEHAVIOUR.md#tokens. */
export const tokenScopes = ['both', 'upload', 'read'] as const
export type TokenScope = (typeof tokenScopes)[number]
