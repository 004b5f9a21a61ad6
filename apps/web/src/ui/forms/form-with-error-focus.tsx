import { type ComponentProps, useEffect, useRef, useState } from 'react'

export type FormWithErrorFocusProps = Omit<ComponentProps<'form'>, 'noValidate'> & {
  /** The form was sent, and its response has not arrived. */
  isBusy: boolean
}

/** Focuses the first invalid input after each submit, so that screen readers read its error. */
export function FormWithErrorFocus({ isBusy, onSubmit, ...props }: FormWithErrorFocusProps) {
  const form = useRef<HTMLFormElement>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    // `data-faulty` marks a button that opens a hidden part with an invalid input.
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
