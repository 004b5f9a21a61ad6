import { Button } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useTemplate } from '#lib/http/use-template.ts'

/** Downloads the blank workbook that people fill in. */
export function TemplateButton({ dictionaryId, disabled }: { dictionaryId: number; disabled: boolean }) {
  const template = useTemplate()
  return (
    <Button
      variant="subtle"
      leftSection={<IconFileSpreadsheet size={18} stroke={1.8} aria-hidden />}
      loading={template.isPending}
      disabled={disabled}
      onClick={() => template.mutate(dictionaryId)}
    >
      Download template
    </Button>
  )
}
