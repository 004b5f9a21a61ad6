import { type ComponentProps, useEffect, useRef, useState } from 'react'

export type FormWithErrorFocusProps = Omit<ComponentProps<'form'>, 'noValidate'> & {
  /** What was sent has not been answered yet. */
  isBusy: boolean
}

/**
 * A form that leads to what is wrong: its first input with a fault has the focus after each try to send it,
 * whether the form found the fault at once or the server did later. Who does not see the screen hears the
 * fault this way, as the description of the input.
 */
export function FormWithErrorFocus({ isBusy, onSubmit, ...props }: FormWithErrorFocusProps) {
  const form = useRef<HTMLFormElement>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    // `data-faulty`: a button behind which the input with the fault is hidden.
    if (tries > 0 && !isBusy)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-faulty]')?.focus()
  }, [tries, isBusy])
  return (
    <form
      {...props}
      ref={form}
      noValidate
      onSubmit={(event) => {
        setTries(tries + 1)
        onSubmit?.(event)
      }}
    />
  )
}
