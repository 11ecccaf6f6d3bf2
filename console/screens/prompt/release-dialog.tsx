import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LATEST, PRODUCTION, type PromptDetails, promptLabel } from '../../../contract/prompts.ts'
import { useText } from '../../text.ts'
import { AutocompleteField } from '../../ui/fields/choice-fields.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { promptText } from './catalogue.ts'
import { Difference } from './difference.tsx'
import { versionQuery } from './prompts-query.ts'
import { useMoveLabel } from './use-move-label.ts'
import styles from './versions.module.css'

interface ReleaseDialogProps {
  prompt: PromptDetails
  version: number
  close(): void
}

/** Which label goes to a version, and what that changes for whoever calls by it. */
export function ReleaseDialog({ prompt, version, close }: ReleaseDialogProps) {
  const t = useText(promptText)
  const usual = [...new Set([...prompt.labels.map(({ label }) => label), 'staging'])]
  const standsAt = (label: string) => prompt.labels.find(one => one.label === label)?.version ?? 0
  const [label, setLabel] = useState(usual.find(one => standsAt(one) !== version) ?? '')
  const { move, isPending } = useMoveLabel(prompt.id, close)
  const from = standsAt(label)
  const isLabel = promptLabel.test(label) && label !== LATEST
  const fault = label === '' || isLabel ? undefined : t('labelWrong')
  return (
    <Dialog opened onClose={close} title={t('releaseVersion', { version })} size={820}>
      <form
        className={styles.release}
        onSubmit={event => {
          event.preventDefault()
          if (isLabel && from !== version) move({ label, from, to: version })
        }}
      >
        <AutocompleteField
          label={t('label')}
          description={
            label === PRODUCTION
              ? t('productionHelp')
              : t('labelHelp', { example: `${prompt.name}@${label}` })
          }
          data={usual}
          value={label}
          error={fault}
          spellCheck={false}
          onChange={text => setLabel(text.trim())}
        />
        {isLabel && (
          <p className={styles.step}>
            {from === version
              ? t('standsHere', { label })
              : from === 0
                ? t('newLabel', { label, version })
                : t('moves', { label, from, version })}
          </p>
        )}
        {isLabel && from !== 0 && from !== version && <Change id={prompt.id} from={from} to={version} />}
        <div className={styles.end}>
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={!isLabel || from === version}>
            {t('release')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Change({ id, from, to }: { id: number; from: number; to: number }) {
  const one = useQuery(versionQuery(id, from)).data
  const other = useQuery(versionQuery(id, to)).data
  return one && other ? <Difference one={one} other={other} /> : <Skeleton rows={4} />
}
