import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { holdsAddress, readAddresses } from '../../store/token-addresses.ts'

interface Shown {
  readonly allow_ips: string | null
  /** Of who made it for a team; null where nobody did. */
  readonly maker_status: number | null
  readonly maker_deleted_at: number | null
}

/** What a key shows of its token is for those whose calls it would let in: who has found it elsewhere learns nothing. */
export function refuseElsewhere({ allow_ips, maker_status, maker_deleted_at }: Shown, address: string): void {
  const isMakerGone =
    maker_status !== null && (maker_status !== userStatuses.active || maker_deleted_at !== null)
  if (isMakerGone) throw new AppError('relay.user-banned')
  const addresses = readAddresses(allow_ips)
  if (addresses && !holdsAddress(addresses, address)) throw new AppError('relay.ip-denied')
}
