import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { userEndpoints } from '../../contract/users.ts'
import { call, holdReads } from '../api.ts'
import { shellText } from '../locales/catalogue.ts'
import { formatQuota } from '../quota.ts'
import { accountQuery } from '../self.ts'
import { forgetUser, prepareToLeave, useUser } from '../session.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { toast } from '../ui/layers/toast.ts'

/** The balance of the account that is spent from, as text; undefined until the server has told it. */
export function useBalance(): string | undefined {
  const user = useUser()
  const status = useStatus()
  const { data } = useQuery({ ...accountQuery(user?.id), enabled: user !== null })
  return data && status ? formatQuota(data.quota, status) : undefined
}

export function useLogout(): () => void {
  const t = useText(shellText)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: async () => {
      await prepareToLeave()
      const release = holdReads()
      try {
        // What is still being asked for would be told that the login has expired.
        await queryClient.cancelQueries()
        await call(userEndpoints.logout)
        // First away from what would ask again, for nobody now.
        await navigate({ to: '/login' })
        forgetUser()
        queryClient.removeQueries({ predicate: query => query.queryKey[0] !== 'status' })
      } finally {
        release()
      }
    },
    onError: () => queryClient.invalidateQueries(),
    onSuccess: () => toast.success(t('account.loggedOut')),
  })
  return mutate
}
