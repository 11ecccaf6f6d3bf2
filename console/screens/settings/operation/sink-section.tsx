import { Suspense } from 'react'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { Section, type SectionProps } from '../section.tsx'

const SinkStates = lazyPart(() => import('./sink-states.tsx'))

/** Where the log is delivered to; once there is a place, how that goes. */
export function SinkSection(props: SectionProps) {
  const { values, secretsSet } = props.options
  const isSet = Boolean(values.LogS3Endpoint) || secretsSet.has('LogWebhookUrl')
  /** Of a place that is off there is nothing to fill in; what was typed before is not lost out of sight. */
  const isOff = ({ on }: (typeof places)[number]) => (props.edits[on] ?? values[on]) !== 'true'
  const keys = props.keys.filter(key => {
    const place = places.find(({ on, begins }) => key !== on && key.startsWith(begins))
    return !place || !isOff(place) || props.changed.includes(key)
  })
  const states = (
    <Suspense>
      <SinkStates isSaved={props.changed.length === 0} />
    </Suspense>
  )
  return <Section {...props} keys={keys} after={isSet && states} />
}

/** What a place is switched on by, and how the names of its fields begin. */
const places = [
  { on: 'LogS3Enabled', begins: 'LogS3' },
  { on: 'LogWebhookEnabled', begins: 'LogWebhook' },
] as const
