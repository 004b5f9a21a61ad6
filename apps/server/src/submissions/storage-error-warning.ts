import { storageErrorTimes } from '@veridict/contract/limits'
import { composeMail, formatDay, formatTime, type MailMessage } from '#mail/mail-message.ts'

export type ExpiringSubmission = {
  name: string
  fileName: string
  dictionaryName: string
  uploadedAt: Date
  purgeAt: Date
  /** The URL of the history. */
  address: string
}

/**
 * To the uploader, a week before a file with a storage error is deleted. See
 * docs/BEHAVIOUR.md#purge-and-retention.
 */
export const storageErrorWarningMail = ({
  name,
  fileName,
  dictionaryName,
  uploadedAt,
  purgeAt,
  address,
}: ExpiringSubmission): MailMessage =>
  composeMail({
    subject: `Storage error: ${fileName} will be deleted on ${formatDay(purgeAt)}`,
    name,
    opening: [
      'Your file is valid, but it could not be saved, and its storage error is still not resolved. Files ' +
        `in this state are permanently deleted ${storageErrorTimes.purgeAfterDays} days after their upload.`,
      'Open the history and choose "Retry". If it fails again, contact the administrator.',
    ],
    facts: [
      ['File', fileName],
      ['Data dictionary', dictionaryName],
      ['Uploaded', formatTime(uploadedAt)],
      ['Will be deleted on', formatDay(purgeAt)],
    ],
    action: { label: 'Open the history', address },
  })
