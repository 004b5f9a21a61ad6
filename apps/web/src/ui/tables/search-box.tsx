import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './search-box.module.css'

export type SearchBoxProps = {
  label: string
  /** The current search. */
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
  const input = useRef<HTMLInputElement>(null)
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
  const clear = () => {
    setText('')
    sendLater.cancel()
    send('')
    // The clicked button unmounts.
    input.current?.focus()
  }
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
      <TextInput
        ref={input}
        aria-label={label}
        placeholder={label}
        type="search"
        enterKeyHint="search"
        maxLength={500}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          if (isLive) sendLater(event.currentTarget.value)
        }}
        leftSection={<IconSearch size={17} stroke={1.8} aria-hidden />}
        rightSection={
          text === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={clear} />
        }
      />
    </form>
  )
}
