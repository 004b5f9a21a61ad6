import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFocusAfterWait } from './use-focus-after-wait.ts'

export type SubmitButtonProps = Pick<ButtonProps, 'disabled' | 'fullWidth'> & {
  isBusy: boolean
  children: ReactNode
}

/** Submits its form and shows that the response is pending. */
export function SubmitButton({ isBusy, ...props }: SubmitButtonProps) {
  return <Button ref={useFocusAfterWait(isBusy)} type="submit" loading={isBusy} {...props} />
}
