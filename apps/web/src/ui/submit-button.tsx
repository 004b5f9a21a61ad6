import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFocusAfterwards } from './use-focus-afterwards.ts'

export type SubmitButtonProps = Pick<ButtonProps, 'disabled' | 'fullWidth'> & {
  isBusy: boolean
  children: ReactNode
}

/** Sends its form, and shows that the answer is on its way. */
export function SubmitButton({ isBusy, ...props }: SubmitButtonProps) {
  return <Button ref={useFocusAfterwards(isBusy)} type="submit" loading={isBusy} {...props} />
}
