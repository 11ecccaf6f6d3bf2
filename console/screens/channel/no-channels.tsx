import { Button } from '@mantine/core'
import { useText } from '../../text.ts'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { channelText } from './catalogue.ts'

interface NoChannelsProps {
  filtered: boolean
  byTag: boolean
  clear(): void
  add(): void
  showAll(): void
}

export function NoChannels({ filtered, byTag, clear, add, showAll }: NoChannelsProps) {
  const t = useText(channelText)
  if (filtered) return <NoMatches title={t('noMatches')} clear={clear} />
  if (byTag)
    return (
      <Empty
        title={t('noTags')}
        actions={
          <Button size="xs" variant="default" onClick={showAll}>
            {t('showAll')}
          </Button>
        }
      >
        {t('noTagsLead')}
      </Empty>
    )
  return (
    <Empty
      title={t('none')}
      actions={
        <Button size="xs" onClick={add}>
          {t('addFirst')}
        </Button>
      }
    >
      {t('noneLead')}
    </Empty>
  )
}
