import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'

type ActionButtonProps = Omit<ButtonProps, 'children' | 'leftSection' | 'loading'> &
  Pick<ComponentProps<'button'>, 'type' | 'onClick'> & {
    label: ReactNode
    Icon?: TablerIcon
    to?: string
    isBusy?: boolean
  }

/** A button of a screen after the login: it leads to another screen, or starts something (`isBusy`). */
export function ActionButton({ label, Icon, to, isBusy = false, ...props }: ActionButtonProps) {
  const look = { ...props, leftSection: Icon && <Icon size={18} stroke={1.8} aria-hidden />, children: label }
  return to === undefined ? (
    <Button loading={isBusy} {...look} />
  ) : (
    <Button component={Link} to={to} {...look} onClick={undefined} />
  )
}

type Labelled<Props> = AnchorProps & Omit<Props, keyof AnchorProps | 'children'> & { label: ReactNode }

export const TextButton = ({ label, ...props }: Labelled<ComponentProps<'button'>>) => (
  <Anchor component="button" type="button" {...props}>
    {label}
  </Anchor>
)

export const TextLink = ({ label, ...props }: Labelled<LinkProps>) => (
  <Anchor component={Link} {...props}>
    {label}
  </Anchor>
)
