import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { walletEndpoints } from '../../../contract/wallet.ts'
import { call } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { formatExactly } from '../../quota.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { TextInput } from '../../ui/fields/fields.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { topUpText } from './catalogue.ts'
import styles from './topup.module.css'

/** Operators copy codes with their names before them, and pass that line on. */
function codeIn(line: string): string {
  return /\s([0-9a-z]{32})$/i.exec(line.trim())?.[1] ?? line.trim()
}

/** A code becomes balance; where codes are sold is for the super administrator to say. */
export function RedeemCard() {
  const t = useText(topUpText)
  const status = useStatus()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const { mutate, isPending } = useMutation({
    mutationFn: (key: string) => call(walletEndpoints.redeem, { body: { key } }),
    onSuccess: quota => {
      setCode('')
      toast.success(t('redeemed', { amount: status ? formatExactly(quota, status) : String(quota) }))
      return queryClient.invalidateQueries({ queryKey: ['self'] })
    },
  })
  const redeem = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return setError(t('codeMissing'))
    return mutate(codeIn(code))
  }
  const buy = () => {
    if (!status?.top_up_link) return toast.error(t('noLink'))
    return window.open(status.top_up_link, '_blank', 'noopener')
  }
  return (
    <section className={styles.card} aria-labelledby="redeem-title">
      <h2 id="redeem-title">{t('redeemTitle')}</h2>
      <form className={styles.form} onSubmit={redeem} noValidate>
        <TextInput
          label={t('code')}
          placeholder={t('codePlaceholder')}
          autoComplete="off"
          spellCheck={false}
          value={code}
          error={error}
          onChange={event => {
            setError(undefined)
            setCode(event.currentTarget.value)
          }}
        />
        <div className={styles.buttons}>
          <Button type="submit" loading={isPending}>
            {isPending ? t('redeeming') : t('redeem')}
          </Button>
          <Button variant="default" onClick={buy}>
            {t('getCode')}
          </Button>
        </div>
      </form>
    </section>
  )
}
