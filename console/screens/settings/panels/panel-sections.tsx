import { type CSSProperties, Suspense } from 'react'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { textIn } from '../operation/two-way-section.tsx'
import { Section, type SectionProps } from '../section.tsx'
import styles from '../settings.module.css'

export interface PanelListProps {
  /** The list as its setting is written. */
  text: string
  onChange(text: string): void
}

const AddressList = lazyPart(() => import('./address-list.tsx'))
const AnnouncementList = lazyPart(() => import('./announcement-list.tsx'))
const QuestionList = lazyPart(() => import('./question-list.tsx'))
const UptimeList = lazyPart(() => import('./uptime-list.tsx'))

/** What the dashboard tells: each a list that is edited as one, and its switch. */
export const panelSections = {
  'other.addresses': (props: SectionProps) => <PanelSection {...props} list="ApiInfo" List={AddressList} />,
  'other.announcements': (props: SectionProps) => (
    <PanelSection {...props} list="Announcements" List={AnnouncementList} />
  ),
  'other.questions': (props: SectionProps) => <PanelSection {...props} list="FAQ" List={QuestionList} />,
  'other.uptime': (props: SectionProps) => (
    <PanelSection {...props} list="UptimeKumaGroups" List={UptimeList} />
  ),
}

interface PanelSectionProps extends SectionProps {
  /** The setting that is the list. */
  list: string
  List: typeof AddressList
}

function PanelSection({ list, List, ...section }: PanelSectionProps) {
  const text = textIn(section, list)
  return (
    <Section
      {...section}
      keys={section.keys.filter(key => key !== list)}
      before={
        <Suspense fallback={<Room text={text} />}>
          <List text={text} onChange={next => section.edit(list, next)} />
        </Suspense>
      }
    />
  )
}

/** About as high as the list will be: what is below it stays where it is. */
function Room({ text }: { text: string }) {
  return (
    <div className={styles.listRoom} style={{ '--entries': countEntries(text) } as CSSProperties}>
      <Skeleton rows={2} />
    </div>
  )
}

function countEntries(text: string): number {
  try {
    const entries: unknown = JSON.parse(text)
    return Array.isArray(entries) ? entries.length : 0
  } catch {
    return 0
  }
}
