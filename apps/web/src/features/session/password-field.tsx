import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** A password input that sets `aria-invalid` with its error; Mantine's own changes only its look. */
export function PasswordField({ error, ...props }: PasswordInputProps) {
  return <PasswordInput error={error} aria-invalid={error ? true : undefined} {...props} />
}
