import { ActionIcon, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { passkeyEndpoints } from '../../../../contract/sign-in.ts'
import { call } from '../../../api.ts'
import { formatTime } from '../../../format.ts'
import { canUsePasskeys } from '../../../sign-in/passkeys.ts'
import { passkeysQuery } from '../../../sign-in/passkeys-query.ts'
import { useStatus } from '../../../status.ts'
import { useText } from '../../../text.ts'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { personalText } from './catalogue.ts'
import { Row } from './panel.tsx'
import styles from './personal.module.css'

const AddPasskeyDialog = lazyPart(() => import('./add-passkey-dialog.tsx'))
const RenamePasskeyDialog = lazyPart(() => import('./rename-passkey-dialog.tsx'))

interface Passkey {
  readonly id: number
  readonly name: string
  readonly created_at: number
  readonly last_used_at: number
}

export function PasskeyRows() {
  const t = useText(personalText)
  const status = useStatus()
  const queryClient = useQueryClient()
  const { data } = useQuery(passkeysQuery)
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const remove = useMutation({
    mutationFn: ({ id }: Passkey) => call(passkeyEndpoints.passkeyDelete, { params: { id } }),
    onSuccess: async () => {
      toast.success(t('passkey.removed'))
      await queryClient.invalidateQueries(passkeysQuery)
    },
  })
  const usable = canUsePasskeys(status?.server_address)
  return (
    <>
      <Row
        title={t('passkey.title')}
        lead={usable ? t('passkey.lead') : t('passkey.unavailable')}
        actions={
          usable && (
            <Button variant="default" size="xs" disabled={!data} onClick={() => setAdding(true)}>
              {t('passkey.add')}
            </Button>
          )
        }
      />
      {data?.passkeys.map(passkey => (
        <PasskeyRow
          key={passkey.id}
          passkey={passkey}
          rename={() => setRenaming(passkey)}
          remove={() => setRemoving(passkey)}
        />
      ))}
      <Confirm
        opened={removing !== undefined}
        title={t('passkey.remove')}
        action={t('passkey.remove')}
        destructive
        onConfirm={() => {
          if (removing) remove.mutate(removing)
          setRemoving(undefined)
        }}
        onCancel={() => setRemoving(undefined)}
      >
        {t('passkey.removeText', { name: removing?.name ?? '' })}
      </Confirm>
      <Suspense>
        {adding && <AddPasskeyDialog close={() => setAdding(false)} />}
        {renaming && <RenamePasskeyDialog passkey={renaming} close={() => setRenaming(undefined)} />}
      </Suspense>
    </>
  )
}

function PasskeyRow({ passkey, rename, remove }: { passkey: Passkey; rename(): void; remove(): void }) {
  const t = useText(personalText)
  const { name, created_at, last_used_at } = passkey
  return (
    <Row
      title={
        <>
          <span className={styles.icon}>
            <KeyRound size={16} aria-hidden />
          </span>
          {name}
        </>
      }
      lead={
        last_used_at > 0
          ? t('passkey.used', { time: formatTime(last_used_at) })
          : t('passkey.created', { time: formatTime(created_at) })
      }
      actions={
        <>
          <ActionIcon
            variant="subtle"
            size={32}
            aria-label={t('passkey.renameNamed', { name })}
            onClick={rename}
          >
            <Pencil size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            size={32}
            aria-label={t('passkey.removeNamed', { name })}
            onClick={remove}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </>
      }
    />
  )
}
