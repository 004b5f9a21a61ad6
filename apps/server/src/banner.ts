import { styleText } from 'node:util'

export type BannerContent = {
  address: string
  /** Demo mode only. */
  logins: readonly { who: string; email: string; password: string }[]
  dataDir: string
  /** Folder of the e-mails, or null if they go to a mail server. */
  outbox: string | null
  /** Folder of the embedded database if it is not in `dataDir`. */
  databaseFolder: string | null
}

export function banner({ address, logins, dataDir, outbox, databaseFolder }: BannerContent): string {
  const width = Math.max(0, ...logins.map(({ email }) => email.length)) + 2
  const people = logins.map(
    ({ who, email, password }) => `    ${email.padEnd(width)}${password}   ${styleText('dim', who)}`,
  )
  const folders = [
    ['Data', dataDir],
    ['E-mails', outbox],
    ['Database', databaseFolder],
  ].filter(([, folder]) => folder !== null)
  return [
    '',
    `  ${styleText(['bold', 'red'], 'Veridict')} is ready at ${styleText(['bold', 'underline'], address)}`,
    '',
    ...(people.length > 0 ? ['  Log in to the demo as', ...people, ''] : []),
    ...folders.map(([label, folder]) => `  ${styleText('dim', String(label).padEnd(10))}${folder}`),
    ...(process.stdin.isTTY ? [`  ${styleText('dim', 'Stop it with Ctrl+C.')}`] : []),
    '',
  ].join('\n')
}
