import { sql, type Kysely } from 'kysely'
import type { Database, MailRow } from '#db/tables.ts'

export type NewMail = { messageId: string; recipient: string; subject: string; textBody: string; htmlBody: string }

export async function addMail(db: Kysely<Database>, mail: NewMail): Promise<void> {
  await db.insertInto('mails').values(mail).execute()
}
