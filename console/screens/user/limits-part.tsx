import { useQuery } from '@tanstack/react-query'
import { spendLimitEndpoints } from '../../../contract/spend-limits.ts'
import type { ManagedUser } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import { spendingText } from '../../spending/catalogue.ts'
import LimitDialog from '../../spending/limit-dialog.tsx'
import { useText } from '../../text.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { useFocusReturn } from '../../ui/layers/use-focus-return.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { userText } from './catalogue.ts'

/** What an administrator lets a user or team spend. It is read anew each time: what is spent changes with every call. */
export default function LimitsPart({ user, close }: { user: ManagedUser; close(): void }) {
  const t = useText(userText)
  const params = { id: user.id }
  const spending = useText(spendingText)
  const { data, error, refetch } = useQuery({
    queryKey: ['spend-limits', user.id],
    queryFn: ({ signal }) => call(spendLimitEndpoints.userSpendLimits, { params, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // By the time there is a form, the focus is in the dialog that waits for it.
  useFocusReturn(true)
  if (!data)
    return (
      <Dialog opened onClose={close} title={`${spending('title')} · ${user.username}`} size={420}>
        {error ? <LoadFailure error={error} retry={refetch} /> : <Skeleton rows={4} />}
      </Dialog>
    )
  return (
    <LimitDialog
      name={user.username}
      limits={data}
      save={async limits => {
        await call(spendLimitEndpoints.limitUser, { params, body: { limits } })
        toast.success(t('done'))
      }}
      close={close}
    />
  )
}
