/** With PASSWORD_LOGIN=off only the account of ADMIN_EMAIL may, in case the provider is down. */
export const mayUsePassword = (
  email: string,
  { passwordLogin, adminEmail }: { passwordLogin: boolean; adminEmail: string | null },
): boolean => passwordLogin || isSameAddress(email, adminEmail)

/** It can log in while single sign-on is down, and must not lose this ability. */
export const isEmergencyAccount = (
  email: string,
  { passwordLogin, adminEmail }: { passwordLogin: boolean; adminEmail: string | null },
): boolean => !passwordLogin && isSameAddress(email, adminEmail)

/** Ignores the case of ASCII letters only: "K" (Kelvin) in lower case is "k", but another owner's address. */
export const isSameAddress = (one: string, other: string | null): boolean =>
  other !== null && asciiLowerCase(one) === asciiLowerCase(other)

const asciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
