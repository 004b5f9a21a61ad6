import { Fragment, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { createStore } from '#lib/store.ts'

type Opened = { number: number; dialog: ReactNode }

const opened = createStore<Opened | null>(null)
let count = 0

/** Opens a dialog above the screen, in place of an open one. It calls `close` when it is to be closed. */
export function openDialog(make: (close: () => void) => ReactNode): void {
  count += 1
  const own: Opened = {
    number: count,
    dialog: make(() => {
      if (opened.get() === own) opened.set(null)
    }),
  }
  opened.set(own)
}

/** The dialog that is open. It is closed when its screen, or the list in its address, is left. */
export function OpenedDialog() {
  const { pathname, search } = useLocation()
  const present = useSyncExternalStore(opened.subscribe, opened.get)
  useEffect(() => () => opened.set(null), [pathname, search])
  return present && <Fragment key={present.number}>{present.dialog}</Fragment>
}
