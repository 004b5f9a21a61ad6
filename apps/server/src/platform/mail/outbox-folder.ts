import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import { asMessage, type Mailer, type OutgoingMail } from '#platform/mail/mailer.ts'
import { makePrivateFolder } from '#platform/private-folder.ts'

/**
 * Writes `.eml` files, for demos, development and tests. Only this account can read them: links set
 * passwords. Time and recipient are in the name; a second attempt replaces the file.
 */
export function createOutboxFolder(folder: string, from: string): Mailer {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      makePrivateFolder(folder)
      const { message } = await composer.sendMail(asMessage(mail, from))
      const path = join(folder, fileName(mail))
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
    async close() {
      composer.close()
    },
  }
}

function fileName({ sentAt, recipient, messageId }: OutgoingMail): string {
  const time = sentAt.toISOString().replaceAll(/[:.]/g, '-')
  const id = messageId.replaceAll(/[^a-z0-9]/gi, '').slice(0, 8)
  return `${time}_${recipient.replaceAll(/[^a-z0-9@.-]/gi, '_').slice(0, 100)}_${id}.eml`
}
