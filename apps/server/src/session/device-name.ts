import Bowser from 'bowser'

/** Longer ones are not of browsers, and parsing them takes time. */
const MAX_LENGTH = 500

/** "Firefox on Windows" of a User-Agent, in words for people; '' where nothing is known. */
export function deviceName(userAgent: string | undefined): string {
  if (userAgent === undefined || userAgent === '' || userAgent.length > MAX_LENGTH) return ''
  const { browser, os } = Bowser.parse(userAgent)
  if (browser.name === undefined) return os.name ?? ''
  return os.name === undefined ? browser.name : `${browser.name} on ${os.name}`
}
