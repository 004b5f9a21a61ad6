import { Button, Drawer } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { writeCount } from '@veridict/contract/notation/count'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { useFocusAfterWait } from '#ui/forms/use-focus-after-wait.ts'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'
import { versionsQuery } from './api.ts'
import classes from './history-drawer.module.css'
import { type SummarizeRule, VersionLine } from './version-line.tsx'

export type HistoryDrawerProps = {
  dictionary: { id: number; name: string }
  isOpen: boolean
  onClose: () => void
  summarizeRule: SummarizeRule
}

/** Who changed a dictionary when, and what its fields were then; newest first. */
export function HistoryDrawer({ dictionary, isOpen, onClose, summarizeRule }: HistoryDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={540}
      padding="lg"
      title="History"
      classNames={{ title: classes.title }}
      closeButtonProps={{ 'aria-label': 'Close history' }}
    >
      <p className={classes.lead}>
        Every change of {dictionary.name} since it was made. Files are checked against the version that was
        there when they were uploaded.
      </p>
      <Versions dictionaryId={dictionary.id} summarizeRule={summarizeRule} />
    </Drawer>
  )
}

function Versions({ dictionaryId, summarizeRule }: { dictionaryId: number; summarizeRule: SummarizeRule }) {
  const history = useInfiniteQuery(versionsQuery(dictionaryId))
  const button = useFocusAfterWait(history.isFetchingNextPage)
  if (history.data === undefined) {
    if (history.isError) return <LoadFailure what="The history" query={history} />
    return <SkeletonRows count={4} />
  }
  // A change between two reads shifts the pages: what was the last line of one is the first of the next.
  const versions = history.data.pages
    .flatMap(({ data }) => data)
    .filter(({ revision }, index, all) => revision !== all[index - 1]?.revision)
  const total = history.data.pages.at(-1)?.totalCount ?? 0
  return (
    <>
      <ol className={classes.list} aria-label="Versions">
        {versions.map((version, index) => (
          <VersionLine
            key={version.revision}
            dictionaryId={dictionaryId}
            version={version}
            isPresent={index === 0}
            summarizeRule={summarizeRule}
          />
        ))}
      </ol>
      {history.hasNextPage && (
        <div className={classes.more}>
          <Button
            ref={button}
            variant="default"
            loading={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            Show earlier
          </Button>
          <span>
            {writeCount(versions.length)} of {writeCount(total)}
          </span>
        </div>
      )}
    </>
  )
}
