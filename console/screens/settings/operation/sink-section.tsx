import { Suspense } from 'react'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { Section, type SectionProps } from '../section.tsx'

const SinkStates = lazyPart(() => import('./sink-states.tsx'))

/** Where the log is delivered to; once there is a place, how that goes. */
export function SinkSection(props: SectionProps) {
  const { values, secretsSet } = props.options
  const isSet = Boolean(values.LogS3Endpoint) || secretsSet.has('LogWebhookUrl')
  const states = (
    <Suspense>
      <SinkStates isSaved={props.changed.length === 0} />
    </Suspense>
  )
  return <Section {...props} after={isSet && states} />
}
