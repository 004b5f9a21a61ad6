/**
 * With PASSWORD_LOGIN=off only the account of ADMIN_EMAIL can use a password, in case the provider is down.
 */
export const mayUsePassword = (
  email: string,
  { passwordLogin, adminEmail }: { passwordLogin: boolean; adminEmail: string | null },
): boolean => passwordLogin || isSameAddress(email, adminEmail)

/**
 * Whether this is the account that can log in while single sign-on is down, and must not lose this ability.
 */
export const isEmergencyAccount = (
  email: string,
  { passwordLogin, adminEmail }: { passwordLogin: boolean; adminEmail: string | null },
): boolean => !passwordLogin && isSameAddress(email, adminEmail)

/**
 * Compares without regard to the case of ASCII letters only: "K" (Kelvin) in lower case is "k", and the owner
 * of one address is not the owner of the other.
 */
export const isSameAddress = (one: string, other: string | null): boolean =>
  other !== null && asciiLowerCase(one) === asciiLowerCase(other)

const asciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
