import { useQuery } from '@tanstack/react-query'
import { LoadFailure } from '../ui/page/load-failure.tsx'
import { Skeleton } from '../ui/page/skeleton.tsx'
import { NoticesForm } from './notices-form.tsx'
import { noticeQuery } from './use-notice-form.ts'

/** How whoever looks is told that little is left, or, where one is given, the owners of a team. */
export default function Notices({ email, team }: { email: string; team?: number }) {
  const { data, error, refetch } = useQuery(noticeQuery(team))
  if (data) return <NoticesForm saved={data} ownEmail={email} team={team} />
  return error ? <LoadFailure error={error} retry={refetch} /> : <Skeleton rows={3} />
}
