import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { createStore } from '#lib/store.ts'

const opened = createStore<ReactNode>(null)
let count = 0

/** Opens a dialog above the screen, in place of an open one. It calls `onClose` when it is to be closed. */
export function openDialog<Props extends { onClose: () => void }>(
  Dialog: ComponentType<Props>,
  props: Omit<NoInfer<Props>, 'onClose'>,
): void {
  count += 1
  const onClose = () => {
    if (opened.get() === dialog) opened.set(null)
  }
  // A key of its own: one that replaces another of its kind begins anew.
  const dialog = <Dialog key={count} {...(props as Props)} onClose={onClose} />
  opened.set(dialog)
}

/** The dialog that is open. It is closed when its screen, or the list in its address, is left. */
export function OpenedDialog() {
  const { pathname, search } = useLocation()
  useEffect(() => () => opened.set(null), [pathname, search])
  return useSyncExternalStore(opened.subscribe, opened.get)
}
