import { Radio } from '@mantine/core'
import { uploadLimits } from '@veridict/contract/limits'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { ErrorList } from '#ui/feedback/error-list.tsx'
import { FileDrop } from '#ui/forms/file-drop.tsx'
import { UploadProgress } from '#ui/forms/upload-progress.tsx'
import classes from './field-source.module.css'
import type { Sample } from './use-sample.ts'

/** Whether a new dictionary begins empty or with the columns of a file. */
export function FieldSource({ sample }: { sample: Sample }) {
  const { source, reading, file, fault, faultsOfFile } = sample
  return (
    <>
      <Radio.Group
        value={source}
        onChange={(value) => sample.setSource(value as Sample['source'])}
        aria-label="Fields"
      >
        <div className={classes.choice}>
          <Choice
            value="empty"
            title="Start empty"
            text="Add the fields one by one once the dictionary is saved."
          />
          <Choice
            value="sample"
            title="Start from a file"
            text="A sample of the data, or a Table Schema: fields are proposed for you to correct."
          />
        </div>
      </Radio.Group>
      {source === 'sample' && (
        <>
          <FileDrop
            label="Sample file"
            hint={
              `CSV or Excel workbook (${uploadLimits.extensions.join(', ')}), ` +
              `up to ${uploadLimits.maxBytes / 1024 / 1024} MB, or a Table Schema (.json). ` +
              'It is read and not kept.'
            }
            accept={[...uploadLimits.extensions, '.json'].join(',')}
            file={file}
            error={fault}
            disabled={reading !== null}
            compact={sample.proposal !== null}
            onFiles={sample.choose}
          />
          {faultsOfFile.length > 0 && (
            <ErrorList title="No fields can be proposed from this file" errors={faultsOfFile} />
          )}
          {reading !== null && (
            <UploadProgress
              text={
                reading.percent === 100
                  ? `Reading ${reading.fileName}…`
                  : uploadMessages.uploading(reading.fileName)
              }
              percent={reading.percent}
            />
          )}
        </>
      )}
    </>
  )
}

function Choice({ value, title, text }: { value: Sample['source']; title: string; text: string }) {
  return (
    <Radio.Card value={value} className={classes.card} aria-label={title}>
      <Radio.Indicator />
      <span className={classes.words}>
        <b>{title}</b>
        <span>{text}</span>
      </span>
    </Radio.Card>
  )
}
