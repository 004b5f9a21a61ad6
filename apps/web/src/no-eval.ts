/**
 * zod must not generate code: the content security policy forbids `eval`, and each try is reported as a
 * violation. Schemas compile when the contract is loaded, so this is set before. Through zod's own `config`
 * it would load all of zod with the first page.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
