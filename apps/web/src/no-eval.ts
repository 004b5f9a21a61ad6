/**
 * zod must not generate code: the content security policy reports each `eval`. Schemas compile when the
 * contract is loaded, so this runs before; zod's own `config` would load all of zod with the first page.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
