import { z } from 'zod'
import { SubmissionStatus } from '#model/submission-status.ts'
import { endpoint, timestamp } from './endpoint.ts'

/**
 * What the portal confirms about an accepted file. `signature` is Ed25519 in base64url over the RFC 8785 form
 * of all other members; `keyId` names the public key at `receiptKeysPath`.
 */
export const receipt = z.object({
  fileName: z.string(),
  /** The hash of the uploaded bytes, in lower-case hexadecimal. */
  sha256: z.string(),
  size: z.int(),
  recordsCount: z.int(),
  dictionary: z.string(),
  dictionaryVersion: z.int(),
  /** E-mail address of the person at the upload, or `token NAME`. */
  uploadedBy: z.string(),
  uploadedAt: timestamp,
  status: z.literal(SubmissionStatus.IngestionSuccess),
  /** Path in the storage. */
  storedAs: z.string(),
  /** Address of the portal. */
  portal: z.string(),
  signature: z.string(),
  keyId: z.string(),
})
export type Receipt = z.infer<typeof receipt>

export const readReceipt = endpoint(
  'GET /api/FileSubmission/:id/Receipt',
  'uploaderOrReader',
  'Signed receipt of an accepted file; 409 for any other',
  { reply: receipt, canConflict: true },
)

/** `GET`: the public keys of all receipts as a JSON Web Key Set (RFC 7517, RFC 8037). Needs no key. */
export const receiptKeysPath = '/.well-known/veridict-receipts'
