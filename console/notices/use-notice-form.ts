import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../contract/endpoint.ts'
import { type NoticeKind, noticeEndpoints } from '../../contract/notices.ts'
import { call } from '../api.ts'
import { useText } from '../text.ts'
import { toast } from '../ui/layers/toast.ts'
import { noticeText } from './catalogue.ts'

export type SavedNotices = OutputOf<typeof noticeEndpoints.noticeSetting>
export type NoticeForm = ReturnType<typeof useNoticeForm>

/** Of a team, or else one's own, also while one acts for a team. */
const whose = (team: number | undefined) => (team === undefined ? { own: true } : { team })

export function noticeQuery(team: number | undefined) {
  return queryOptions({
    queryKey: ['notice-setting', team],
    queryFn: ({ signal }) => call(noticeEndpoints.noticeSetting, { signal, ...whose(team) }),
    gcTime: 0,
  })
}

/** What is typed, how it is saved, and how it is tried out, which saves it first. */
export function useNoticeForm(saved: SavedNotices, team: number | undefined) {
  const t = useText(noticeText)
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<NoticeKind>(saved.notify_type)
  const [threshold, setThreshold] = useState(String(saved.quota_warning_threshold))
  const [email, setEmail] = useState(saved.notification_email)
  const [url, setUrl] = useState(addressOf(saved, saved.notify_type))
  const [secret, setSecret] = useState('')

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
  return {
    ...{ kind, choose, email, setEmail, url, setUrl, secret, setSecret },
    ...{ threshold, setThreshold, isWhole: /^\d{1,15}$/.test(threshold.trim()) },
    isKept: url === addressOf(saved, kind) && (saved.webhook_secret_set || saved.gotify_token_set),
    ...{ update, tryOut },
  }
}

function addressOf(saved: SavedNotices, kind: NoticeKind): string {
  return kind === 'email' ? '' : saved[`${kind}_url`]
}
