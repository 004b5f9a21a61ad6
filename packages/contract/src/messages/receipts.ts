import { writeCount } from '#notation/count.ts'

/** Sentences of receipts, on the page and on the command line. See docs/BEHAVIOUR.md#receipts. */
export const receiptMessages = {
  notAccepted: 'Only an accepted file has a receipt.',
  /** Ours, as all below. */
  receipt: 'Receipt',
  of: (fileName: string) => `Receipt of ${fileName}`,
  accepted: 'Accepted',
  lead: 'Every row fits the data dictionary. The file was stored unchanged.',
  version: (number: number) => `version ${number}`,
  download: 'Download receipt',
  print: 'Print',
  checkTitle: 'Is a file this one?',
  checkText:
    'The SHA-256 above belongs to this file only, and the portal signed all of these facts. Download the ' +
    'receipt; the command line of Veridict checks it and the file:',
  checkCommand: (portal: string) => `veridict receipt verify FILE RECEIPT.json --url ${portal}`,
  signature: 'Signature (Ed25519)',
  keyId: 'Key',
  isTheFile: 'This is the file of the receipt, and the receipt is genuine.',
  otherSize: (size: number, expected: unknown) =>
    `The file has ${writeCount(size)} bytes; the receipt says ${JSON.stringify(expected)}.`,
  otherBytes: 'The bytes of the file are not those of the receipt (SHA-256).',
  wrongSignature:
    'The signature is not valid: the receipt was changed after it was signed, or another portal made it.',
  plainHttp: (portal: string) =>
    `Warning: ${portal} is not encrypted; whoever answers there can give keys of their own. ` +
    'Use https, or --keys with keys that came another way.',
  unknownKey: (portal: string) => `${portal} never had the key that the receipt names.`,
} as const
