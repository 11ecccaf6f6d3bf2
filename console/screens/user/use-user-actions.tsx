import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { type ManagedUser, type UserAction, userAdminEndpoints } from '../../../contract/user-admin.ts'
import { roles } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { planText } from '../../plans/catalogue.ts'
import { useUser } from '../../session.ts'
import { spendingText } from '../../spending/catalogue.ts'
import { useText } from '../../text.ts'
import { toast } from '../../ui/layers/toast.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import type { RowAction } from '../../ui/table/column.ts'
import { userText } from './catalogue.ts'
import { useEditUser } from './use-edit-user.ts'
import { type Asked, UserQuestion } from './user-question.tsx'
import { refreshUsers } from './users-query.ts'

const PlanDialog = lazyPart(() => import('./plan-dialog.tsx'))
const LimitsPart = lazyPart(() => import('./limits-part.tsx'))

/** How far back the log of a user is opened, in seconds. */
const WEEK = 604_800

/** What an administrator can do with a user: only look at those of the own rank or above, or already gone. */
export function useUserActions() {
  const t = useText(userText)
  const self = useUser()
  const navigate = useNavigate()
  const shell = useText(shellText)
  const plans = useText(planText)
  const spending = useText(spendingText)
  const edit = useEditUser()
  const [asked, setAsked] = useState<Asked>()
  const [planned, setPlanned] = useState<ManagedUser>()
  const [limited, setLimited] = useState<ManagedUser>()
  const { mutate } = useMutation({
    mutationFn: (body: { id: number; action: UserAction }) => call(userAdminEndpoints.manageUser, { body }),
    onSuccess: () => {
      toast.success(t('done'))
      return refreshUsers()
    },
  })

  const actions = (user: ManagedUser): RowAction[] => {
    const logs = {
      id: 'logs',
      label: shell('nav.log'),
      act: () => navigate({ to: '/log', search: { user: user.username, start: -WEEK } }),
    }
    // Who is gone has left a log.
    if (user.DeletedAt !== null) return [logs]
    const manage = (action: UserAction) => () => mutate({ id: user.id, action })
    const isActive = user.status === 1
    const open = edit(user)
    const rank = self?.role ?? 0
    const isBelow = user.role < rank
    return [
      {
        id: 'edit',
        label: t('edit'),
        inline: true,
        disabled: !open,
        act: () => open?.(),
      },
      logs,
      ...(user.role === roles.team
        ? [
            {
              id: 'members',
              label: t('members'),
              act: () => navigate({ to: '/team', search: { id: user.id } }),
            },
          ]
        : []),
      {
        id: 'plan',
        label: plans('title'),
        disabled: !isBelow && rank < roles.root,
        act: () => setPlanned(user),
      },
      {
        id: 'limits',
        label: spending('title'),
        disabled: !isBelow && rank < roles.root,
        act: () => setLimited(user),
      },
      {
        id: 'toggle',
        label: isActive ? t('ban') : t('unban'),
        disabled: !isBelow || user.status === 3,
        act: manage(isActive ? 'disable' : 'enable'),
      },
      {
        id: 'promote',
        label: t('promote'),
        disabled: rank < roles.root || user.role !== roles.user,
        act: () => setAsked({ user, action: 'promote' }),
      },
      {
        id: 'demote',
        label: t('demote'),
        disabled: !isBelow || user.role < roles.admin,
        act: () => setAsked({ user, action: 'demote' }),
      },
      {
        id: 'delete',
        label: t('deactivate'),
        destructive: true,
        disabled: !isBelow,
        act: () => setAsked({ user, action: 'delete' }),
      },
    ]
  }

  const moneyDialog = (planned || limited) && (
    <Suspense>
      {planned && <PlanDialog user={planned} close={() => setPlanned(undefined)} />}
      {limited && <LimitsPart user={limited} close={() => setLimited(undefined)} />}
    </Suspense>
  )
  const question = asked && (
    <UserQuestion
      {...asked}
      onConfirm={() => {
        mutate({ id: asked.user.id, action: asked.action })
        setAsked(undefined)
      }}
      onCancel={() => setAsked(undefined)}
    />
  )
  return { actions, question, moneyDialog }
}
