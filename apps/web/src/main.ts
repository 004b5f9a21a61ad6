import { config } from 'zod'

// zod must not generate code: the content security policy forbids `eval`, and each try is reported as a
// violation. Schemas compile when the contract is loaded, so this runs before everything else is loaded.
config({ jitless: true })
void import('#app/start.tsx')
