import { type StatusPush, statusPush } from '@veridict/contract/api/live'

/**
 * A message of the socket as a status push, or null: only a JSON object with the three keys FileId,
 * FilesStatus and RecordCount (in their types) patches anything. Spec §4.
 */
export function readPush(text: unknown): StatusPush | null {
  if (typeof text !== 'string') return null
  try {
    const push = statusPush.safeParse(JSON.parse(text))
    return push.success ? push.data : null
  } catch (error) {
    console.error('A live message could not be read.', error)
    return null
  }
}
