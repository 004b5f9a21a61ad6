/** Light, dark, or "auto": as the system. */
export type ThemeChoice = 'light' | 'dark' | 'auto'

/** Seconds that the browser keeps the choice: the longest that browsers keep a cookie. Ours. */
const keptFor = 400 * 24 * 3600

export const readThemeCookie = (): ThemeChoice =>
  (/(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1] ?? 'auto') as ThemeChoice

export function writeThemeCookie(choice: ThemeChoice): void {
  document.cookie = `theme=${choice}; Path=/; Max-Age=${keptFor}; SameSite=Strict`
}
