/**
 * Whether a request comes from a page of the portal: `origin` is its public address, or the address of this
 * request (`host`). Browsers always send it with a POST and with a WebSocket; programs need not.
 */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string,
): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).origin === new URL(publicUrl).origin || new URL(origin).host === host
}
