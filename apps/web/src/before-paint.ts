import { patterns } from '#app/paths.ts'
import { tokenStore } from '#lib/session/token-store.ts'
import { readThemeCookie } from '#lib/theme/theme-cookie.ts'

/** Before the first paint: the theme, and the prerendered login page only where it is the first screen. */

/** Addresses that lead a visitor to the login page, and home after it. */
const toLogin: readonly string[] = [patterns.root, patterns.home, patterns.login]

const page = document.documentElement
const choice = readThemeCookie()
const isDark = matchMedia('(prefers-color-scheme: dark)').matches
page.dataset.mantineColorScheme = choice === 'auto' ? (isDark ? 'dark' : 'light') : choice
const { pathname, search } = location
const isLogin = pathname === patterns.login || (toLogin.includes(pathname) && search === '')
if (isLogin && tokenStore.read() === null) page.dataset.beginsAtLogin = ''
