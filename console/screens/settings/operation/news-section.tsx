import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { optionEndpoints } from '../../../../contract/options.ts'
import { call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { toast } from '../../../ui/layers/toast.ts'
import { settingsText } from '../catalogue.ts'
import { Section, type SectionProps } from '../section.tsx'
import styles from '../settings.module.css'
import { operationText } from './catalogue.ts'

/** Watching over channels, and a way to see whether the webhook hears of it. */
export function NewsSection(props: SectionProps) {
  const isSet = props.options.secretsSet.has('OpsWebhookUrl')
  return <Section {...props} after={isSet && <TestNews isSaved={props.changed.length === 0} />} />
}

function TestNews({ isSaved }: { isSaved: boolean }) {
  const t = useText(operationText)
  const shared = useText(settingsText)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(optionEndpoints.testNews),
    onSuccess: () => toast.success(t('testSent')),
  })
  return (
    <div className={styles.try}>
      <Button
        variant="default"
        loading={isPending}
        onClick={() => (isSaved ? mutate() : toast.warning(shared('mailSaveFirst')))}
      >
        {t('testSend')}
      </Button>
    </div>
  )
}
