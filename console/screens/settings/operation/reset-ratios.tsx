import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { optionEndpoints } from '../../../../contract/options.ts'
import { call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { optionsQuery } from '../options-query.ts'
import { operationText } from './catalogue.ts'

export function ResetRatios({ onReset }: { onReset(): void }) {
  const t = useText(operationText)
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(optionEndpoints.resetModelRatio),
    onSuccess: async ({ message }) => {
      await queryClient.invalidateQueries(optionsQuery)
      onReset()
      toast.success(message)
    },
  })
  return (
    <>
      <Button variant="default" size="xs" loading={isPending} onClick={() => setAsking(true)}>
        {t('reset.action')}
      </Button>
      <Confirm
        opened={asking}
        title={t('reset.action')}
        action={t('reset.action')}
        destructive
        onConfirm={() => {
          setAsking(false)
          mutate()
        }}
        onCancel={() => setAsking(false)}
      >
        {t('reset.text')}
      </Confirm>
    </>
  )
}
