import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, CircleUserRound, Footprints, LogOut, Settings, Users } from 'lucide-react'
import { actFor } from '../acting.ts'
import { shellText } from '../locales/catalogue.ts'
import { useTeam, useUser } from '../session.ts'
import { ownTeamsQuery } from '../teams/own-teams.ts'
import { useText } from '../text.ts'
import { useBalance, useLogout } from './account.ts'
import { MenuButton } from './menu-button.tsx'
import styles from './shell.module.css'

export function AccountMenu() {
  const t = useText(shellText)
  const user = useUser()
  const team = useTeam()
  const known = useQuery(ownTeamsQuery(user?.id)).data
  const balance = useBalance()
  const logout = useLogout()
  const navigate = useNavigate()
  if (!user) return null
  const choose = (next: Parameters<typeof actFor>[0]) => () => {
    if (next?.id !== team?.id) actFor(next)
  }
  const teams = known?.teams ?? []
  const accounts =
    teams.length === 0 && !team
      ? []
      : [
          { id: 'self', label: t('team.self'), checked: !team, act: choose(null) },
          ...teams.map(({ id, name, role }) => ({
            id: `team-${id}`,
            label: name,
            checked: team?.id === id,
            act: choose({ id, name, isOwner: role === 'owner', userId: user.id }),
          })),
        ]
  const asked = known?.invitations.length ?? 0
  const teamsEntry = {
    id: 'teams',
    label: asked > 0 ? t('team.asked', { count: asked }) : t('nav.team'),
    icon: <Users size={16} aria-hidden />,
    act: () => {
      navigate({ to: '/team' }).catch(() => {})
    },
  }
  // Most people have nothing to do with teams.
  const isTeamed = accounts.length > 0 || asked > 0 || known?.may_create
  const settings = {
    id: 'setting',
    label: t('nav.setting'),
    icon: <Settings size={16} aria-hidden />,
    act: () => {
      navigate({ to: '/setting' }).catch(() => {})
    },
  }
  const guide = {
    id: 'start',
    label: t('nav.start'),
    icon: <Footprints size={16} aria-hidden />,
    act: () => {
      navigate({ to: '/start' }).catch(() => {})
    },
  }
  const leave = {
    id: 'logout',
    label: t('account.logout'),
    icon: <LogOut size={16} aria-hidden />,
    act: logout,
  }
  return (
    <>
      {balance !== undefined && (
        <Link to="/topup" className={styles.balance} title={t('account.balance')}>
          {balance}
        </Link>
      )}
      <MenuButton
        label={t('account.menu', { name: team ? `${user.username} · ${team.name}` : user.username })}
        entries={[...accounts, ...(isTeamed ? [teamsEntry] : []), settings, guide, leave]}
      >
        {team && <Users size={14} aria-hidden />}
        {/* A phone has no room for a name beside the balance and that of the site. */}
        {!team && <CircleUserRound size={18} className={styles.narrow} aria-hidden />}
        <span className={styles.name} data-team={team ? true : undefined}>
          {team?.name ?? user.username}
        </span>
        {asked > 0 && <span className={styles.dot} />}
        <ChevronDown size={14} aria-hidden />
      </MenuButton>
    </>
  )
}
