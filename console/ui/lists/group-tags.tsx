import { listText } from '../../lists/catalogue.ts'
import { useText } from '../../text.ts'
import { GroupTag } from '../content/group-tag.tsx'
import styles from './group-tags.module.css'

/** Letters of a name that leaves room for others beside it. */
const SHORT = 8

/** The groups that something is for: so many as there is room for, and how many more there are. */
export function GroupTags({ names, most }: { names: readonly string[]; most: number }) {
  const t = useText(listText)
  const isLong = Number.isFinite(most) && names.slice(0, most).some(({ length }) => length > SHORT)
  const shown = names.slice(0, isLong ? 1 : most)
  const more = names.length - shown.length
  return (
    <span className={styles.groups} title={names.join(', ')}>
      {shown.map(name => (
        <GroupTag key={name} name={name} />
      ))}
      {more > 0 && (
        <span className={styles.more} role="img" aria-label={t('moreGroups', { count: more })}>
          +{more}
        </span>
      )}
    </span>
  )
}
