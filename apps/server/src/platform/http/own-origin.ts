/** `origin` must be the public address or `host`. Browsers always send it with a POST or WebSocket. */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string,
): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).origin === new URL(publicUrl).origin || new URL(origin).host === host
}
