import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** An input for a password that is wrong for screen readers too when it is: Mantine's own only looks so. */
export function PasswordField({ error, ...props }: PasswordInputProps) {
  return <PasswordInput error={error} aria-invalid={error ? true : undefined} {...props} />
}
