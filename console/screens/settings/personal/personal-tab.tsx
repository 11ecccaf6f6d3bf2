import { useQuery } from '@tanstack/react-query'
import { roles } from '../../../../contract/users.ts'
import { selfQuery } from '../../../self.ts'
import { useUser } from '../../../session.ts'
import { useStatus } from '../../../status.ts'
import { LoadFailure } from '../../../ui/page/load-failure.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { AccountPanel } from './account-panel.tsx'
import { BindingsPanel } from './bindings-panel.tsx'
import { DeletePanel } from './delete-panel.tsx'
import { InvitePanel } from './invite-panel.tsx'
import { ModelsPanel } from './models-panel.tsx'
import styles from './personal.module.css'
import { SecurityPanel } from './security-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

export default function PersonalTab() {
  const status = useStatus()
  const userId = useUser()?.id
  // Accounts are bound in other windows: whoever comes back from there sees what has become of it.
  const { data: self, error, refetch } = useQuery({ ...selfQuery(userId), refetchOnWindowFocus: 'always' })
  if (error && !self) return <LoadFailure error={error} retry={refetch} />
  if (!self || !status) return <Skeleton rows={6} />
  return (
    <div className={styles.grid}>
      <div className={styles.column}>
        <AccountPanel user={self} status={status} />
        <InvitePanel user={self} status={status} />
        <ModelsPanel />
        <SessionsPanel />
      </div>
      <div className={styles.column}>
        <BindingsPanel user={self} status={status} />
        <SecurityPanel />
        {/* The last one with all rights cannot lock everybody out. */}
        {self.role < roles.root && <DeletePanel username={self.username} />}
      </div>
    </div>
  )
}
