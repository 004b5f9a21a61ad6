/** All portals of the tests use these, so that a token which a test issues is valid in them. */
export const testSecrets = { apiKey: 'test-api-key', tokenSecret: 's'.repeat(32) }
