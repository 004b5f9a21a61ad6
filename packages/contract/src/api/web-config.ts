import { z } from 'zod'
import type { WebConfig } from './config.ts'

export const webConfig: z.ZodType<WebConfig> = z.object({
  apiKey: z.string(),
  singleSignOn: z.literal(true).optional(),
})
