import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { roles, type UserView } from '../../contract/users.ts'
import { readFirstRun } from '../first-run.ts'
import { landingPath } from '../navigation.ts'
import { takePath } from '../return-path.ts'
import { useScreenPaths } from '../screen-paths.ts'
import { storeUser } from '../session.ts'
import { useText } from '../text.ts'
import { toast } from '../ui/layers/toast.ts'
import { signInText } from './catalogue.ts'

/**
 * What follows every successful login. It leads to where someone was going before they were asked for it; else some
 * ways of logging in lead home, most to where the work is.
 */
export function useEnter(): (user: UserView, home?: 'home', said?: string) => Promise<void> {
  const t = useText(signInText)
  const navigate = useNavigate()
  const { history } = useRouter()
  const queryClient = useQueryClient()
  const screens = useScreenPaths()
  return async (user, home, said) => {
    // Whoever was here before may have been someone else.
    queryClient.removeQueries({ predicate: query => query.queryKey[0] !== 'status' })
    storeUser(user)
    toast.success(said ?? t('done'))
    // Whoever has just set this up is shown the way to a first call.
    const begins = user.role >= roles.root && readFirstRun() === 'open'
    const wanted = takePath()
    if (wanted && !begins) return history.replace(wanted)
    const landing = begins ? '/start' : landingPath(user.role, screens)
    await navigate({ to: home ? '/' : landing, replace: true })
  }
}
