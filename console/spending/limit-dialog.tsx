import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type SpendLimitView, spendPeriods, type WantedLimit } from '../../contract/spend-limits.ts'
import { formatMinute } from '../format.ts'
import { formatQuota } from '../quota.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { QuotaField } from '../ui/fields/quota-field.tsx'
import dialogStyles from '../ui/layers/dialog.module.css'
import { Dialog } from '../ui/layers/dialog.tsx'
import { spendingText } from './catalogue.ts'
import styles from './limit-dialog.module.css'

type Period = WantedLimit['period']
type Draft = Record<Period, string>

interface LimitDialogProps {
  name: string
  limits: readonly SpendLimitView[]
  save(limits: WantedLimit[]): Promise<unknown>
  close(): void
}

/** What somebody may spend in each of the periods there are; blank for as much as they like. */
export default function LimitDialog({ name, limits, save, close }: LimitDialogProps) {
  const t = useText(spendingText)
  const status = useStatus()
  const [draft, setDraft] = useState(() => draftOf(limits))
  const wanted = readDraft(draft)
  const { mutate, isPending } = useMutation({ mutationFn: save, onSuccess: close })
  const isWrong = (period: Period): boolean => !/^\d{0,15}$/.test(draft[period].trim())
  const about = (period: Period): string | undefined => {
    const limit = limits.find(each => each.period === period)
    if (!limit || !status) return undefined
    const spent = t('spent', { spent: formatQuota(limit.spent, status) })
    return limit.ends_at > 0 ? `${spent} · ${t('until', { time: formatMinute(limit.ends_at) })}` : spent
  }
  return (
    <Dialog opened onClose={close} title={`${t('title')} · ${name}`} size={420}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
          if (!spendPeriods.some(isWrong)) mutate(wanted)
        }}
      >
        <p className={styles.help}>{t('help')}</p>
        {spendPeriods.map(period => (
          <QuotaField
            key={period}
            id={`limit-${period}`}
            label={t(period)}
            bare
            value={draft[period]}
            description={about(period)}
            placeholder={t('unlimited')}
            error={isWrong(period) ? t('wrong') : undefined}
            onChange={value => setDraft({ ...draft, [period]: value })}
          />
        ))}
        <div className={dialogStyles.actions}>
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={spendPeriods.some(isWrong)}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function draftOf(limits: readonly SpendLimitView[]): Draft {
  const amountOf = (period: Period) => limits.find(limit => limit.period === period)?.amount ?? ''
  return Object.fromEntries(spendPeriods.map(period => [period, String(amountOf(period))])) as Draft
}

function readDraft(draft: Draft): WantedLimit[] {
  return spendPeriods
    .filter(period => draft[period].trim() !== '')
    .map(period => ({ period, amount: Number(draft[period]) }))
}
