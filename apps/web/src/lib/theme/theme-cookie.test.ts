import { describe, expect, it } from 'vitest'
import { themeCookie, themeIn } from './theme-cookie.ts'

describe('The cookie of the theme', () => {
  it('is Secure and of this host alone over https', () => {
    const [cookie, ...attributes] = themeCookie('dark', 'https:').split('; ')
    expect(cookie).toBe('__Host-theme=dark')
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'SameSite=Strict', 'Secure']))
    expect(attributes.join()).not.toContain('Domain')
  })

  it('is stored without https, too', () => {
    expect(themeCookie('dark', 'http:')).toMatch(/^theme=dark; Path=\/; Max-Age=\d+; SameSite=Strict$/)
  })

  it.for([
    { cookies: '', theme: 'auto' },
    { cookies: 'theme=dark', theme: 'dark' },
    { cookies: 'x=1; __Host-theme=light', theme: 'light' },
    { cookies: 'theme=dark; __Host-theme=light', theme: 'light' },
    { cookies: 'theme=dark; __Host-theme=auto', theme: 'auto' },
    { cookies: 'theme=pink', theme: 'auto' },
    { cookies: 'other-theme=dark', theme: 'auto' },
  ])('$cookies means $theme', ({ cookies, theme }) => {
    expect(themeIn(cookies)).toBe(theme)
  })
})
