import { configPath, type WebConfig } from '@veridict/contract/api/config'

let pending: Promise<WebConfig> | null = null

/** The page's settings, read once. The next caller retries a failed read. */
export function readConfig(): Promise<WebConfig> {
  pending ??= fetchConfig().catch((error: unknown) => {
    pending = null
    throw error
  })
  return pending
}

async function fetchConfig(): Promise<WebConfig> {
  const response = await fetch(configPath)
  if (!response.ok) throw new Error(`${configPath} returned ${response.status}`)
  return (await response.json()) as WebConfig
}
