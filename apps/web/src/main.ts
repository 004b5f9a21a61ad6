import { config } from 'zod'

// Schemas must not compile themselves: the portal's content security policy forbids making code from text,
// and each try is reported as a violation. They are compiled when the contract is loaded, so the page is
// loaded after this.
config({ jitless: true })
void import('#app/start.tsx')
