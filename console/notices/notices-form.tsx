import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { OutputOf } from '../../contract/endpoint.ts'
import { type NoticeKind, noticeEndpoints, noticeKinds } from '../../contract/notices.ts'
import { call } from '../api.ts'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import { NativeSelect, PasswordField, TextInput } from '../ui/fields/fields.tsx'
import { QuotaField } from '../ui/fields/quota-field.tsx'
import { toast } from '../ui/layers/toast.ts'
import { noticeText } from './catalogue.ts'
import styles from './notices.module.css'

type Saved = OutputOf<typeof noticeEndpoints.noticeSetting>

/** Of a team, or else one's own, also while one acts for a team. */
const whose = (team: number | undefined) => (team === undefined ? { own: true } : { team })

export function noticeQuery(team: number | undefined) {
  return queryOptions({
    queryKey: ['notice-setting', team],
    queryFn: ({ signal }) => call(noticeEndpoints.noticeSetting, { signal, ...whose(team) }),
    gcTime: 0,
  })
}

const names = { webhook: 'Webhook', bark: 'Bark', gotify: 'Gotify' }
const samples = {
  webhook: 'https://example.com/hook',
  bark: 'https://api.day.app/key/{{title}}/{{content}}',
  gotify: 'https://gotify.example.com',
}

interface NoticesFormProps {
  saved: Saved
  ownEmail: string
  team: number | undefined
}

/** How one is told that little is left, and a way to see whether it works. */
export function NoticesForm({ saved, ownEmail, team }: NoticesFormProps) {
  const t = useText(noticeText)
  const shared = useText(shellText)
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<NoticeKind>(saved.notify_type)
  const [threshold, setThreshold] = useState(String(saved.quota_warning_threshold))
  const [email, setEmail] = useState(saved.notification_email)
  const [url, setUrl] = useState(addressOf(saved, saved.notify_type))
  const [secret, setSecret] = useState('')
  const isWhole = /^\d{1,15}$/.test(threshold.trim())

  async function save(): Promise<void> {
    const chosen =
      kind === 'email'
        ? { notification_email: email }
        : { [`${kind}_url`]: url, webhook_secret: secret, gotify_token: secret }
    const { gotify_priority } = saved
    await call(noticeEndpoints.saveNoticeSetting, {
      ...whose(team),
      body: { notify_type: kind, quota_warning_threshold: Number(threshold), gotify_priority, ...chosen },
    })
    setSecret('')
    await queryClient.invalidateQueries(noticeQuery(team))
  }
  const update = useMutation({ mutationFn: save, onSuccess: () => toast.success(t('saved')) })
  const tryOut = useMutation({
    mutationFn: async () => {
      await save()
      await call(noticeEndpoints.testNotice, whose(team))
    },
    onSuccess: () => toast.success(t('testSent')),
  })

  const choose = (next: NoticeKind) => {
    setKind(next)
    setUrl(addressOf(saved, next))
    setSecret('')
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole) update.mutate()
  }
  const isKept = url === addressOf(saved, kind) && (saved.webhook_secret_set || saved.gotify_token_set)
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <h2 className={styles.heading}>{t('notice')}</h2>
      <QuotaField
        id="notice-threshold"
        label={t('noticeBelow')}
        description={t('noticeBelowHint')}
        value={threshold}
        error={isWhole ? undefined : shared('inline.whole')}
        onChange={setThreshold}
      />
      <NativeSelect
        label={t('noticeWay')}
        value={kind}
        data={noticeKinds.map(value => ({ value, label: value === 'email' ? t('email') : names[value] }))}
        onChange={event => choose(event.currentTarget.value as NoticeKind)}
      />
      {kind === 'email' ? (
        <TextInput
          label={t('email')}
          inputMode="email"
          autoComplete="email"
          placeholder={ownEmail}
          maxLength={254}
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
        />
      ) : (
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
      )}
      {(kind === 'webhook' || kind === 'gotify') && (
        <PasswordField
          label={t(kind === 'webhook' ? 'noticeSecret' : 'token')}
          autoComplete="new-password"
          placeholder={isKept ? t('secretKeep') : undefined}
          maxLength={200}
          value={secret}
          onChange={event => setSecret(event.currentTarget.value)}
        />
      )}
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

function addressOf(saved: Saved, kind: NoticeKind): string {
  return kind === 'email' ? '' : saved[`${kind}_url`]
}
