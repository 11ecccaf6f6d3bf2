import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, Footprints, LogOut, Settings } from 'lucide-react'
import { shellText } from '../locales/catalogue.ts'
import { useUser } from '../session.ts'
import { useText } from '../text.ts'
import { useBalance, useLogout } from './account.ts'
import { MenuButton } from './menu-button.tsx'
import styles from './shell.module.css'

export function AccountMenu() {
  const t = useText(shellText)
  const user = useUser()
  const balance = useBalance()
  const logout = useLogout()
  const navigate = useNavigate()
  if (!user) return null
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
      <MenuButton label={t('account.menu', { name: user.username })} entries={[settings, guide, leave]}>
        <span className={styles.name}>{user.username}</span>
        <ChevronDown size={14} aria-hidden />
      </MenuButton>
    </>
  )
}
