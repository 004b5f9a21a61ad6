import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './search-box.module.css'

export type SearchBoxProps = {
  label: string
  /** The current search. */
  value: string
  /** Called on Enter and on "Clear search". */
  onSearch: (text: string) => void
}

/** A search input; Enter starts the search. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setText(value), [value])
  const clear = () => {
    setText('')
    onSearch('')
    // The clicked button unmounts.
    input.current?.focus()
  }
  return (
    <form
      role="search"
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text.trim())
      }}
    >
      <TextInput
        ref={input}
        aria-label={label}
        placeholder={label}
        type="search"
        enterKeyHint="search"
        maxLength={500}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        leftSection={<IconSearch size={17} stroke={1.8} aria-hidden />}
        rightSection={
          text === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={clear} />
        }
      />
    </form>
  )
}
