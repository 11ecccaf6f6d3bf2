import { useText } from '../../../text.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import type { SectionProps } from '../section.tsx'
import { operationText } from './catalogue.ts'
import { type GroupMaps, groupKeys, writeGroups } from './group-rows.ts'
import { TwoWaySection, textIn } from './two-way-section.tsx'

const GroupTable = lazyPart(() => import('./group-table.tsx'))
const inTable: ReadonlySet<string> = new Set(groupKeys)

/** Groups, as JSON or as a table. */
export function GroupSection(props: SectionProps) {
  const t = useText(operationText)
  const apply = (maps: GroupMaps) => {
    const texts = writeGroups(maps)
    for (const key of groupKeys) if (texts[key] !== textIn(props, key)) props.edit(key, texts[key])
  }
  return (
    <TwoWaySection
      section={props}
      views={[
        { id: 'json', label: t('group.json') },
        { id: 'own', label: t('group.table') },
      ]}
      isShown={key => inTable.has(key)}
      rows={3}
    >
      <GroupTable
        texts={{
          GroupRatio: textIn(props, 'GroupRatio'),
          UserUsableGroups: textIn(props, 'UserUsableGroups'),
        }}
        onChange={apply}
      />
    </TwoWaySection>
  )
}
