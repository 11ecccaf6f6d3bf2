import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { userAdminEndpoints } from '../../../contract/user-admin.ts'
import { roles } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { formatQuota } from '../../quota.ts'
import { selfQuery } from '../../self.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { startText } from './catalogue.ts'
import styles from './start.module.css'

const DOLLARS = 10

/** A new installation's first account owns nothing, and calls are paid for: its owner may help themselves. */
export function BalanceHint() {
  const t = useText(startText)
  const shell = useText(shellText)
  const user = useUser()
  const status = useStatus()
  const queryClient = useQueryClient()
  const { data: self } = useQuery({ ...selfQuery(user?.id), enabled: user !== null })
  const amount = DOLLARS * (status?.quota_per_unit ?? 0)
  const grant = useMutation({
    mutationFn: async () => {
      if (!self) return
      const { id, username, display_name, group } = self
      await call(userAdminEndpoints.editUser, { body: { id, username, display_name, group, quota: amount } })
    },
    onSuccess: async () => {
      toast.success(t('granted'))
      await queryClient.invalidateQueries({ queryKey: ['self'] })
    },
  })
  if (!self || !status || self.quota > 0) return null
  return (
    <div className={styles.balance}>
      <Callout>
        <div className={styles.balanceText}>
          <span>{t('noBalance')}</span>
          {self.role >= roles.root ? (
            <Button size="xs" loading={grant.isPending} onClick={() => grant.mutate()}>
              {t('grant', { amount: formatQuota(amount, status) })}
            </Button>
          ) : (
            <Link to="/topup">{shell('nav.topup')}</Link>
          )}
        </div>
      </Callout>
    </div>
  )
}
