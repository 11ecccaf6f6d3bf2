import { Suspense, useState } from 'react'
import { channelTypeOf } from '../../../../contract/channel-types.ts'
import type { ChannelView } from '../../../../contract/channel-view.ts'
import { roles } from '../../../../contract/users.ts'
import { useUser } from '../../../session.ts'
import { useLanguage, useText } from '../../../text.ts'
import { Textarea } from '../../../ui/fields/fields.tsx'
import { SwitchField } from '../../../ui/fields/switch-field.tsx'
import type { Draft } from '../../../ui/layers/use-draft.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { formText } from './catalogue.ts'
import type { ChannelDraft } from './channel-draft.ts'
import styles from './form.module.css'

const RevealDialog = lazyPart(() => import('./reveal-dialog.tsx'))

interface KeyFieldProps {
  draft: Draft<ChannelDraft>
  channel: ChannelView | undefined
  error: string | undefined
}

export function KeyField({ draft: { values, set }, channel, error }: KeyFieldProps) {
  const t = useText(formText)
  const language = useLanguage()
  const mayReveal = (useUser()?.role ?? 0) >= roles.root
  const [isRevealing, setRevealing] = useState(false)
  const kind = channelTypeOf(values.type)
  const isLong = values.isBatch || kind?.wholeKey === true
  return (
    <div>
      <Textarea
        id="channel-key"
        label={t('key')}
        description={kind?.key[language]}
        placeholder={channel ? t('keyKeep') : undefined}
        required={!channel}
        autosize
        minRows={isLong ? 4 : 1}
        maxRows={10}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: styles.mono ?? '' }}
        value={values.key}
        error={error}
        onChange={event => set('key', event.currentTarget.value)}
      />
      {channel && mayReveal && (
        <button type="button" className={styles.link} onClick={() => setRevealing(true)}>
          {t('reveal')}
        </button>
      )}
      {!channel && !kind?.wholeKey && (
        <div className={styles.under}>
          <SwitchField
            label={t('batch')}
            description={t('batchHelp')}
            checked={values.isBatch}
            onChange={event => set('isBatch', event.currentTarget.checked)}
          />
          {values.isBatch && (
            <SwitchField
              label={t('together')}
              description={t('togetherHelp')}
              checked={values.isTogether}
              onChange={event => set('isTogether', event.currentTarget.checked)}
            />
          )}
        </div>
      )}
      {isRevealing && channel && (
        <Suspense>
          <RevealDialog channel={channel} close={() => setRevealing(false)} />
        </Suspense>
      )}
    </div>
  )
}
