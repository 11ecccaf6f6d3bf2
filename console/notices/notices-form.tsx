import { Button } from '@mantine/core'
import type { FormEvent } from 'react'
import { type NoticeKind, noticeKinds } from '../../contract/notices.ts'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import { NativeSelect, PasswordField, TextInput } from '../ui/fields/fields.tsx'
import { QuotaField } from '../ui/fields/quota-field.tsx'
import { noticeText } from './catalogue.ts'
import styles from './notices.module.css'
import { type NoticeForm, type SavedNotices, useNoticeForm } from './use-notice-form.ts'

const names = { webhook: 'Webhook', bark: 'Bark', gotify: 'Gotify' }
const samples = {
  webhook: 'https://example.com/hook',
  bark: 'https://api.day.app/key/{{title}}/{{content}}',
  gotify: 'https://gotify.example.com',
}

interface NoticesFormProps {
  saved: SavedNotices
  ownEmail: string
  team: number | undefined
}

/** How one is told that little is left, and a way to see whether it works. */
export function NoticesForm({ saved, ownEmail, team }: NoticesFormProps) {
  const t = useText(noticeText)
  const shared = useText(shellText)
  const form = useNoticeForm(saved, team)
  const { threshold, isWhole, update, tryOut } = form
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole) update.mutate()
  }
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <h2 className={styles.heading}>{t('notice')}</h2>
      <QuotaField
        id="notice-threshold"
        label={t('noticeBelow')}
        description={t('noticeBelowHint')}
        value={threshold}
        error={isWhole ? undefined : shared('inline.least', { least: '0' })}
        onChange={form.setThreshold}
      />
      <NativeSelect
        label={t('noticeWay')}
        value={form.kind}
        data={noticeKinds.map(value => ({ value, label: value === 'email' ? t('email') : names[value] }))}
        onChange={event => form.choose(event.currentTarget.value as NoticeKind)}
      />
      <AddressFields form={form} ownEmail={ownEmail} />
      <div className={styles.actions}>
        <Button type="submit" loading={update.isPending}>
          {t('noticeSave')}
        </Button>
        <Button
          variant="default"
          loading={tryOut.isPending}
          disabled={!isWhole}
          onClick={() => tryOut.mutate()}
        >
          {t('testSend')}
        </Button>
      </div>
    </form>
  )
}

/** Where it is sent, in the way that was chosen. */
function AddressFields({ form, ownEmail }: { form: NoticeForm; ownEmail: string }) {
  const t = useText(noticeText)
  const { kind, email, setEmail, url, setUrl, secret, setSecret, isKept } = form
  if (kind === 'email')
    return (
      <TextInput
        label={t('email')}
        inputMode="email"
        autoComplete="email"
        placeholder={ownEmail}
        maxLength={254}
        value={email}
        onChange={event => setEmail(event.currentTarget.value)}
      />
    )
  return (
    <>
      <TextInput
        label={t('noticeUrl')}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={samples[kind]}
        maxLength={2000}
        value={url}
        onChange={event => setUrl(event.currentTarget.value)}
      />
      {kind !== 'bark' && (
        <PasswordField
          label={t(kind === 'webhook' ? 'noticeSecret' : 'token')}
          autoComplete="new-password"
          placeholder={isKept ? t('secretKeep') : undefined}
          maxLength={200}
          value={secret}
          onChange={event => setSecret(event.currentTarget.value)}
        />
      )}
    </>
  )
}
