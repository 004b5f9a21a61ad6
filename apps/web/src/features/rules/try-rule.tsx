import { Autocomplete, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { uploadFault } from '@veridict/contract/forms/upload'
import { uploadLimits } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import { useState } from 'react'
import { useChosenFile } from '#lib/http/use-upload.ts'
import { FileDrop } from '#ui/forms/file-drop.tsx'
import { FormAside } from '#ui/forms/form-page.tsx'
import { readFields, type TrialResult, triedValues, tryRule } from './rule-trials.ts'
import type { RuleDraft } from './rule-values.ts'
import { MOST_OPTIONS } from './slot-inputs.tsx'
import classes from './try-rule.module.css'

const REST_MILLISECONDS = 250

/** Tries a row that is typed in, or those of a file, against what is in the form, in the browser. */
export function TryRule({ draft }: { draft: RuleDraft }) {
  const [source, setSource] = useState('row')
  const [row, setRow] = useState<Record<string, string>>({})
  const { file, fault, choose } = useChosenFile(uploadFault)
  const [values] = useDebouncedValue(draft.values, REST_MILLISECONDS)
  const rested = { ...draft, values }
  const fields = readFields(rested)
  const isFile = source === 'file'
  const isTyped = fields.some(({ name }) => row[name])
  const { data, isError } = useQuery({
    queryKey: [
      'rule trial',
      triedValues(values),
      isFile ? [file?.name, file?.lastModified, file?.size] : row,
    ],
    queryFn: ({ signal }) => tryRule(rested, isFile ? file! : row, signal),
    enabled: isFile ? file !== null : isTyped,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    // The form works without it: the server checks as well.
    meta: { quiet: true },
  })
  return (
    <FormAside title="Try it">
      <SegmentedControl
        fullWidth
        aria-label="Try it on"
        data={[
          { value: 'row', label: 'One row' },
          { value: 'file', label: 'A file' },
        ]}
        value={source}
        onChange={setSource}
      />
      <div className={classes.cells}>
        {isFile ? (
          <FileDrop
            label="Sample file"
            hint="CSV or Excel workbook. It stays in your browser."
            accept={uploadLimits.extensions.join(',')}
            file={file}
            error={fault}
            compact
            onFiles={choose}
          />
        ) : (
          fields.map(({ name, rule }) => (
            <Autocomplete
              key={name}
              size="sm"
              label={name}
              placeholder={rule.type === 'date' ? rule.format : undefined}
              data={rule.type === 'list' ? rule.options : []}
              limit={MOST_OPTIONS}
              value={row[name] ?? ''}
              onChange={(text) => setRow({ ...row, [name]: text })}
            />
          ))
        )}
      </div>
      <div role="status" className={classes.result}>
        {isError ? (
          <p>{isFile ? texts.fileNotRead : fieldMessages.trialNotLoaded}</p>
        ) : data !== undefined && (isFile ? file !== null : isTyped) ? (
          <Result {...data} />
        ) : (
          !isFile && <p>{fields.length === 0 ? texts.tryIncomplete : texts.tryRowHint}</p>
        )}
      </div>
    </FormAside>
  )
}

const icons = { good: IconCircleCheck, bad: IconCircleX, quiet: IconCircleMinus } as const

function Result({ tone, text, details }: TrialResult) {
  const Icon = icons[tone]
  return (
    <>
      <p className={classes.line} data-tone={tone}>
        <Icon size={19} stroke={1.8} aria-hidden />
        <strong>{text}</strong>
      </p>
      <ul>
        {details.map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
    </>
  )
}
