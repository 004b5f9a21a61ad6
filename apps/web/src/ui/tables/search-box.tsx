import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './search-box.module.css'

export type SearchBoxProps = {
  label: string
  value: string
  /** Called on Enter and on "Clear search". */
  onSearch: (text: string) => void
  /** Also searches while somebody types, after a short pause. @default false */
  isLive?: boolean
}

const PAUSE_MILLISECONDS = 300

/** A search input; Enter starts the search. */
export function SearchBox({ label, value, onSearch, isLive = false }: SearchBoxProps) {
  const [text, setText] = useState(value)
  // What is typed while a search runs stays.
  const searched = useRef(value)
  useEffect(() => {
    if (value !== searched.current) setText(value)
    searched.current = value
  }, [value])
  const send = (words: string) => {
    searched.current = words
    onSearch(words)
  }
  const sendLater = useDebouncedCallback((words: string) => send(words.trim()), PAUSE_MILLISECONDS)
  return (
    <form
      role="search"
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault()
        sendLater.cancel()
        setText(text.trim())
        send(text.trim())
      }}
    >
      <SearchInput
        label={label}
        enterKeyHint="search"
        maxLength={500}
        value={text}
        onChange={(typed) => {
          setText(typed)
          if (isLive) sendLater(typed)
        }}
        onClear={() => {
          setText('')
          sendLater.cancel()
          send('')
        }}
      />
    </form>
  )
}

type SearchInputProps = Pick<TextInputProps, 'className' | 'enterKeyHint' | 'maxLength'> & {
  label: string
  value: string
  onChange: (text: string) => void
  onClear: () => void
}

/** An input for a search, with a button that clears it. */
export function SearchInput({ label, onChange, onClear, ...props }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const clear = () => {
    onClear()
    // The clicked button unmounts.
    input.current?.focus()
  }
  return (
    <TextInput
      ref={input}
      aria-label={label}
      placeholder={label}
      type="search"
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<IconSearch size={17} stroke={1.8} aria-hidden />}
      rightSection={
        props.value === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={clear} />
      }
      {...props}
    />
  )
}
