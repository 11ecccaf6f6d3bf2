import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { StatusDocument } from '../../../../contract/system.ts'
import type { UserView } from '../../../../contract/users.ts'
import { walletEndpoints } from '../../../../contract/wallet.ts'
import { call } from '../../../api.ts'
import { formatQuota } from '../../../quota.ts'
import { selfQuery } from '../../../self.ts'
import { useText } from '../../../text.ts'
import { TextInput } from '../../../ui/fields/fields.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'
import { readTransfer } from './read-transfer.ts'

interface TransferDialogProps {
  user: UserView
  status: StatusDocument
  close(): void
}

export default function TransferDialog({ user, status, close }: TransferDialogProps) {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const least = status.quota_per_unit
  const [text, setText] = useState(String(least))
  const [tried, setTried] = useState(false)
  const { amount, fault } = readTransfer(text, least, user.aff_quota)
  const show = (quota: number) => formatQuota(quota, status)
  const transfer = useMutation({
    mutationFn: (quota: number) => call(walletEndpoints.transferEarnings, { body: { quota } }),
    onSuccess: async answer => {
      toast.success(answer.message)
      await queryClient.invalidateQueries(selfQuery(user.id))
      close()
    },
  })
  const faultText = {
    number: () => t('transfer.number'),
    least: () => t('transfer.least', { least: show(least) }),
    most: () => t('transfer.most'),
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (amount !== undefined) transfer.mutate(amount)
  }
  return (
    <Dialog opened onClose={close} title={t('transfer.title')} size={440}>
      <form onSubmit={onSubmit} noValidate>
        <TextInput
          label={t('transfer.amount')}
          description={t('transfer.available', { amount: show(user.aff_quota), least: show(least) })}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          rightSection={amount !== undefined && <span className={styles.hint}>{show(amount)}</span>}
          rightSectionWidth={96}
          rightSectionPointerEvents="none"
          error={tried && fault ? faultText[fault]() : undefined}
          onChange={event => setText(event.currentTarget.value)}
          data-autofocus
        />
        <div className={dialogStyles.actions}>
          <Button variant="default" onClick={() => setText(String(user.aff_quota))}>
            {t('all')}
          </Button>
          <Button type="submit" loading={transfer.isPending}>
            {t('transfer.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
