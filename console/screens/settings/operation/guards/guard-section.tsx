import { useText } from '../../../../text.ts'
import { lazyPart } from '../../../../ui/page/lazy-part.ts'
import type { SectionProps } from '../../section.tsx'
import { operationText } from '../catalogue.ts'
import { TwoWaySection, textIn } from '../two-way-section.tsx'

const GuardList = lazyPart(() => import('./guard-list.tsx'))
const KEY = 'Guards'

/** Rules for what is asked and answered, as a list or as JSON. */
export function GuardSection(props: SectionProps) {
  const t = useText(operationText)
  return (
    <TwoWaySection
      section={props}
      views={[
        { id: 'own', label: t('guard.list') },
        { id: 'json', label: t('guard.json') },
      ]}
      isShown={key => key === KEY}
      rows={2}
    >
      <GuardList text={textIn(props, KEY)} onChange={text => props.edit(KEY, text)} />
    </TwoWaySection>
  )
}
