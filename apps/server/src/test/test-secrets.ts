/** Of every portal of the tests, so that a token which a test issues is valid in it. */
export const testSecrets = { apiKey: 'test-api-key', tokenSecret: 's'.repeat(32) }
