import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ChannelView } from '../../../../contract/channel-view.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { describeRest, endRest, isOfChannel, restText } from '../rests.ts'
import { isOn } from '../rows.ts'
import { useRestsOf } from '../use-rests.ts'
import styles from './form.module.css'

const SHOWN = 6

/** What of the channel is left alone for a while, why, and the way to end it. */
export function RestNote({ channel }: { channel: ChannelView }) {
  const rests = useRestsOf(channel)
  const { mutate, isPending } = useMutation({ mutationFn: () => endRest(channel.id) })
  if (!isOn(channel) || rests.length === 0) return null
  return (
    <Callout>
      {rests.some(isOfChannel) && <p>{restText('lead')}</p>}
      <ul className={styles.rests}>
        {rests.slice(0, SHOWN).map(rest => (
          <li key={rest.model ?? ''}>{describeRest(rest)}</li>
        ))}
        {rests.length > SHOWN && <li>{restText('more', { count: rests.length - SHOWN })}</li>}
      </ul>
      <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
        {restText('end')}
      </Button>
    </Callout>
  )
}
