import { DateInput, type DateInputProps } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat.js'

dayjs.extend(customParseFormat)

const SHOWN = 'D MMM YYYY'
const READ = [SHOWN, 'D MMMM YYYY', 'YYYY-MM-DD']

type DayFieldProps = Omit<DateInputProps, 'value' | 'onChange'> & {
  /** `yyyy-MM-dd`; '' for none. */
  value?: string
  onChange?: (day: string) => void
}

/** A day, typed as people write it or chosen in a calendar. What is no day leaves the last one. */
export const DayField = ({ value, onChange, ...props }: DayFieldProps) => (
  <DateInput
    placeholder="e.g. 21 Nov 2026"
    size="md"
    weekendDays={[]}
    valueFormat={SHOWN}
    dateParser={readDay}
    clearButtonProps={{ 'aria-label': 'Clear the day' }}
    value={value || null}
    onChange={(day) => onChange?.(day ?? '')}
    {...props}
  />
)

/** The written day as `yyyy-MM-dd`; null for what is none, as 05/06/2026, which may be in May or in June. */
export function readDay(text: string): string | null {
  const written = text
    .trim()
    .replace(/[a-z]+/i, (month) => month[0]!.toUpperCase() + month.slice(1).toLowerCase())
  const day = dayjs(written, READ, true)
  return day.isValid() ? day.format('YYYY-MM-DD') : null
}
