import { styleText } from 'node:util'

export type BannerContent = {
  address: string
  /** Demo mode only. */
  logins: readonly { who: string; email: string; password: string }[]
  dataDir: string
  /** Folder of letters, or null when they go to a mail server. */
  outbox: string | null
  /** Where the embedded database is when it is not in `dataDir`. */
  databasePlace: string | null
}

/** What a person sees who starts the portal in a terminal. */
export function banner({ address, logins, dataDir, outbox, databasePlace }: BannerContent): string {
  const width = Math.max(0, ...logins.map(({ email }) => email.length)) + 2
  const people = logins.map(
    ({ who, email, password }) => `    ${email.padEnd(width)}${password}   ${styleText('dim', who)}`,
  )
  const places = [
    ['Data', dataDir],
    ['Letters', outbox],
    ['Database', databasePlace],
  ].filter(([, place]) => place !== null)
  return [
    '',
    `  ${styleText(['bold', 'red'], 'Veridict')} is ready at ${styleText(['bold', 'underline'], address)}`,
    '',
    ...(people.length > 0 ? ['  Log in to the demo as', ...people, ''] : []),
    ...places.map(([label, place]) => `  ${styleText('dim', String(label).padEnd(10))}${place}`),
    `  ${styleText('dim', 'Stop it with Ctrl+C.')}`,
    '',
  ].join('\n')
}
