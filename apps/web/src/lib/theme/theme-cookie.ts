/** Light, dark, or "auto": as the system. */
export type ThemeChoice = 'light' | 'dark' | 'auto'

/** Seconds that the browser keeps the choice: the longest that browsers keep a cookie. Ours. */
const maxAgeSeconds = 400 * 24 * 3600

export const readThemeCookie = (): ThemeChoice => themeIn(document.cookie)

export function writeThemeCookie(choice: ThemeChoice): void {
  document.cookie = themeCookie(choice, location.protocol)
}

/** Over https, a cookie that no other host of the domain can set (RFC 6265bis, `__Host-`). */
export function themeCookie(choice: ThemeChoice, protocol: string): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; SameSite=Strict`
  return protocol === 'https:'
    ? `__Host-theme=${choice}; ${attributes}; Secure`
    : `theme=${choice}; ${attributes}`
}

/** Without a prefix it may also be the choice of an earlier version. */
export const themeIn = (cookies: string): ThemeChoice =>
  (/(?:^|; )__Host-theme=(light|dark|auto)/.exec(cookies)?.[1] ??
    /(?:^|; )theme=(light|dark)/.exec(cookies)?.[1] ??
    'auto') as ThemeChoice
