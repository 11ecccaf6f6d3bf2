import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Plus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { channelEndpoints } from '../../../contract/channels.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { channelText } from './catalogue.ts'
import styles from './channel.module.css'
import { refreshChannels } from './channels-query.ts'
import { type WorkName, works } from './use-work.ts'

interface HeaderActionsProps {
  /** Adding one is offered where the channels would be. */
  isBare: boolean
  add(): void
  refresh(): void
  watch(work: WorkName): Promise<void>
}

type Asked = 'deleteDisabled' | 'fix'

/** What concerns all channels. On phones and tablets what is rarely needed is behind a menu. */
export function HeaderActions({ isBare, add, refresh, watch }: HeaderActionsProps) {
  const t = useText(channelText)
  const [asked, setAsked] = useState<Asked>()
  const { deeds, deleteDisabled, fix } = useDeeds(watch, setAsked)
  return (
    <>
      <span className={styles.wideOnly}>
        {deeds.map(({ id, label, act, busy }) => (
          <Button key={id} size="xs" variant="default" loading={busy} onClick={act}>
            {label}
          </Button>
        ))}
      </span>
      <Button
        size="xs"
        variant="default"
        className={styles.square}
        aria-label={t('refresh')}
        title={t('refresh')}
        onClick={refresh}
      >
        <RotateCw size={16} aria-hidden />
      </Button>
      <Button
        size="xs"
        variant={isBare ? 'default' : 'filled'}
        leftSection={<Plus size={16} aria-hidden />}
        onClick={add}
      >
        {t('add')}
      </Button>
      <span className={styles.narrowOnly}>
        <MoreButton
          label={t('more')}
          actions={deeds.map(({ busy, ...deed }) => ({ ...deed, disabled: busy }))}
        />
      </span>
      <Confirm
        opened={asked === 'deleteDisabled'}
        title={t('deleteDisabledTitle')}
        action={t('deleteDisabled')}
        destructive
        onConfirm={() => {
          deleteDisabled()
          setAsked(undefined)
        }}
        onCancel={() => setAsked(undefined)}
      >
        {t('deleteDisabledText')}
      </Confirm>
      <Confirm
        opened={asked === 'fix'}
        title={t('fixTitle')}
        action={t('fix')}
        onConfirm={() => {
          fix()
          setAsked(undefined)
        }}
        onCancel={() => setAsked(undefined)}
      >
        {t('fixText')}
      </Confirm>
    </>
  )
}

/** What can be done with all of them at once; what cannot be taken back is asked first. */
function useDeeds(watch: HeaderActionsProps['watch'], ask: (deed: Asked) => void) {
  const t = useText(channelText)
  const testAll = useMutation({
    mutationFn: () => call(channelEndpoints.testAllChannels),
    onSuccess: () => {
      toast.success(t('testAllStarted'))
      return watch(works.test)
    },
  })
  const updateBalances = useMutation({
    mutationFn: () => call(channelEndpoints.updateAllBalances),
    onSuccess: () => {
      toast.success(t('updateBalancesStarted'))
      return watch(works.balance)
    },
  })
  const deleteDisabled = useMutation({
    mutationFn: () => call(channelEndpoints.deleteDisabledChannels),
    onSuccess: count => {
      toast.success(t('deletedDisabled', { count }))
      return refreshChannels()
    },
  })
  const fix = useMutation({
    mutationFn: () => call(channelEndpoints.fixAbilities),
    onSuccess: count => {
      toast.success(t('fixed', { count }))
      return refreshChannels()
    },
  })
  const deeds = [
    { id: 'test', label: t('testAll'), act: () => testAll.mutate(), busy: testAll.isPending },
    {
      id: 'balances',
      label: t('updateBalances'),
      act: () => updateBalances.mutate(),
      busy: updateBalances.isPending,
    },
    { id: 'fix', label: t('fix'), act: () => ask('fix'), busy: fix.isPending },
    {
      id: 'disabled',
      label: t('deleteDisabled'),
      act: () => ask('deleteDisabled'),
      busy: deleteDisabled.isPending,
      destructive: true,
    },
  ]
  return { deeds, deleteDisabled: deleteDisabled.mutate, fix: fix.mutate }
}
