import { writeCount } from '#notation/count.ts'

/** Sentences of receipts, on the page and on the command line. See docs/BEHAVIOUR.md#receipts. */
export const receiptMessages = {
  notAccepted: 'Only an accepted file has a receipt.',
  /** Ours, as all below. */
  receipt: 'Receipt',
  accepted: 'Accepted',
  lead: (portal: string) => `${portal} accepted this file. It was stored unchanged.`,
  download: 'Download receipt',
  print: 'Print',
  howToCheck: 'How to check this receipt',
  howToCheckText:
    'The receipt is signed. Download it, and with the file beside it run the command line of Veridict: ' +
    'it says whether this is the file and whether the receipt is unchanged.',
  isTheFile: 'This is the file of the receipt, and the receipt is genuine.',
  otherSize: (size: number, expected: unknown) =>
    `The file has ${writeCount(size)} bytes; the receipt says ${JSON.stringify(expected)}.`,
  otherBytes: 'The bytes of the file are not those of the receipt (SHA-256).',
  wrongSignature:
    'The signature is not valid: the receipt was changed after it was signed, or another portal made it.',
  unknownKey: (portal: string) => `${portal} never had the key that the receipt names.`,
} as const
