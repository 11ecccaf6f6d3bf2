import { useQuery } from '@tanstack/react-query'
import { spendLimitEndpoints } from '../../../contract/spend-limits.ts'
import type { ManagedUser } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import LimitDialog from '../../spending/limit-dialog.tsx'
import { useText } from '../../text.ts'
import { toast } from '../../ui/layers/toast.ts'
import { userText } from './catalogue.ts'

/** What an administrator lets a user or team spend. It is read anew each time: what is spent changes with every call. */
export default function LimitsPart({ user, close }: { user: ManagedUser; close(): void }) {
  const t = useText(userText)
  const params = { id: user.id }
  const { data } = useQuery({
    queryKey: ['spend-limits', user.id],
    queryFn: ({ signal }) => call(spendLimitEndpoints.userSpendLimits, { params, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data) return null
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
