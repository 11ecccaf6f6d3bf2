import type { Announcement, AnnouncementKind } from '../../../../contract/panels.ts'
import { formatMinute } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { SafeHtml } from '../../../ui/content/rich-content.tsx'
import { Tag, type Tone } from '../../../ui/content/tag.tsx'
import { detailText } from '../catalogue.ts'
import { Panel } from './panel.tsx'
import styles from './panels.module.css'

const kinds = {
  ongoing: { tone: 'blue', word: 'ongoing' },
  success: { tone: 'green', word: 'success' },
  warning: { tone: 'orange', word: 'warning' },
  error: { tone: 'red', word: 'error' },
} as const satisfies Record<Exclude<AnnouncementKind, 'default'>, { tone: Tone; word: string }>

/** From the newest on. */
export function Announcements({ entries }: { entries: readonly Announcement[] }) {
  const t = useText(detailText)
  return (
    <Panel title={t('announcements')}>
      <ol className={styles.timeline}>
        {entries.map(({ content, publishDate, type, extra }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same at the same time
          <li key={`${at} ${publishDate}`} data-kind={type}>
            <div className={styles.when}>
              <time dateTime={publishDate}>{formatMinute(Date.parse(publishDate) / 1000)}</time>
              {type !== 'default' && <Tag tone={kinds[type].tone}>{t(kinds[type].word)}</Tag>}
            </div>
            <div className={styles.text}>
              <SafeHtml source={content} format="markdown" />
            </div>
            {extra !== '' && <p className={styles.quiet}>{extra}</p>}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
