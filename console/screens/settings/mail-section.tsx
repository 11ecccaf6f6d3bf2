import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { optionEndpoints } from '../../../contract/options.ts'
import { call } from '../../api.ts'
import { useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { TextInput } from '../../ui/fields/fields.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { settingsText } from './catalogue.ts'
import { Section, type SectionProps } from './section.tsx'
import styles from './settings.module.css'

/** The mail settings, and a way to see whether they work before users depend on them. */
export function MailSection(props: SectionProps) {
  return <Section {...props} after={<TestMail isSaved={props.changed.length === 0} />} />
}

function TestMail({ isSaved }: { isSaved: boolean }) {
  const t = useText(settingsText)
  const [to, setTo] = useState(useUser()?.email ?? '')
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(optionEndpoints.testMail, { body: { to } }),
    onSuccess: () => toast.success(t('mailSent', { to })),
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isSaved) mutate()
    else toast.warning(t('mailSaveFirst'))
  }
  return (
    <form className={styles.try} onSubmit={onSubmit} noValidate>
      <TextInput
        label={t('mailTo')}
        className={styles.short}
        inputMode="email"
        autoComplete="email"
        placeholder="name@example.com"
        value={to}
        onChange={event => setTo(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isPending} disabled={to.trim() === ''}>
        {t('mailSend')}
      </Button>
    </form>
  )
}
