import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { roles } from '../../../../contract/users.ts'
import { accountQuery } from '../../../self.ts'
import { useTeam, useUser } from '../../../session.ts'
import { ownLimitsQuery } from '../../../spending/own-limits-query.ts'
import { useText } from '../../../text.ts'
import { playgroundText } from '../models/catalogue.ts'

/** Where more is to be had; or, where a limit leaves less than the balance has, which that is: money changes nothing. */
export function QuotaHelp() {
  const t = useText(playgroundText)
  const user = useUser()
  const teamId = useTeam()?.id
  const limits = useQuery(ownLimitsQuery(user?.id, teamId))
  // As it is after what was refused just now, and not before what was spent until then.
  const account = useQuery({ ...accountQuery(user?.id), staleTime: 0 })
  if (limits.isPending || account.isPending) return null
  const balance = account.data?.quota ?? 0
  if (limits.data?.some(({ amount, spent }) => amount - spent < balance))
    return <Link to="/topup">{t('error.limits')}</Link>
  // There is nobody from whom a super administrator would have to buy.
  return user && teamId === undefined && user.role >= roles.root ? (
    <Link to="/user/edit/$id" params={{ id: String(user.id) }}>
      {t('error.addBalance')}
    </Link>
  ) : (
    <Link to="/topup">{t('error.topUp')}</Link>
  )
}
