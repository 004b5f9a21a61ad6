import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { expect, it } from 'vitest'
import { signContent, thumbprint } from '#platform/signing/receipt-keys.ts'

/** The key pair of RFC 8037, A.1, and its thumbprint, A.3. */
const key = {
  id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  privateKey: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  createdAt: new Date(),
}

it('names a key by its thumbprint (RFC 7638)', () => expect(thumbprint(key.publicKey)).toBe(key.id))

it('signs the canonical form of a receipt (signature calculated by OpenSSL)', () => {
  const receipt = signContent(
    {
      // The text of RFC 8785, 3.2.2.
      fileName: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/.csv',
      sha256: '0123456789abcdef'.repeat(4),
      size: 1_048_576,
      recordsCount: 24,
      dictionary: 'Medical claims',
      dictionaryVersion: 3,
      uploadedBy: 'clerk@example.com',
      uploadedAt: '2026-11-21T10:15:30.000Z',
      status: SubmissionStatus.IngestionSuccess,
      storedAs: 'northwind/2026/11/7_claims.csv',
      portal: 'https://data.example.com',
    },
    key,
  )
  expect(receipt.keyId).toBe(key.id)
  expect(receipt.signature).toBe(
    'NEvv31LtRdbn46PkdWEiMsephAYWCHRgIN8--OLUHecty1WEOFmIebrMlZZI_mjKpKwfGa5h96hsIT5IlFNmCA',
  )
})
