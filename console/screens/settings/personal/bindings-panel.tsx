import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { thirdPartyEndpoints } from '../../../../contract/sign-in.ts'
import type { StatusDocument } from '../../../../contract/system.ts'
import type { UserView } from '../../../../contract/users.ts'
import { call } from '../../../api.ts'
import { selfQuery } from '../../../self.ts'
import { openConsentToBind } from '../../../sign-in/open-consent.ts'
import { providerIcons } from '../../../sign-in/provider-icons.tsx'
import { leaveForTelegram } from '../../../sign-in/telegram.ts'
import { type WayIn, waysIn } from '../../../sign-in/ways-in.ts'
import { useText } from '../../../text.ts'
import { toast } from '../../../ui/layers/toast.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { personalText } from './catalogue.ts'
import { Panel, Row } from './panel.tsx'
import styles from './personal.module.css'

const EmailDialog = lazyPart(() => import('./email-dialog.tsx'))
const WechatDialog = lazyPart(() => import('../../../sign-in/wechat-dialog.tsx'))

/** What else this account can be reached by. */
export function BindingsPanel({ user, status }: { user: UserView; status: StatusDocument }) {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'email' | 'wechat'>()
  const close = () => setOpen(undefined)
  const consent = useMutation({
    mutationFn: openConsentToBind,
    onSuccess: () => toast.success(t('bind.opened')),
  })
  const bindWechat = async (code: string) => {
    await call(thirdPartyEndpoints.wechatBind, { query: { code } })
    toast.success(t('bind.wechatDone'))
    close()
    await queryClient.invalidateQueries(selfQuery(user.id))
  }
  const on = waysIn(status)
  const third = [
    {
      way: 'wechat',
      name: t('wechat'),
      id: user.wechat_id && t('bind.bound'),
      act: () => setOpen('wechat'),
    },
    {
      way: 'github',
      name: 'GitHub',
      // What is no number is the name that an older tool knew them by, and can be bound again.
      id: /^\d+$/.test(user.github_id) ? user.github_id : '',
      act: () => consent.mutate('github'),
    },
    {
      way: 'telegram',
      name: 'Telegram',
      id: user.telegram_id,
      act: () => leaveForTelegram(status.telegram_bot_id, 'bind'),
    },
    { way: 'discord', name: 'Discord', id: user.discord_id, act: () => consent.mutate('discord') },
    { way: 'linuxdo', name: 'LinuxDO', id: user.linux_do_id, act: () => consent.mutate('linuxdo') },
    {
      way: 'oidc',
      name: status.oidc_name,
      id: user.oidc_id && t('bind.bound'),
      act: () => consent.mutate('oidc'),
    },
  ] satisfies ThirdParty[]
  const isOffered = ({ way, id }: ThirdParty) => id !== '' || on.includes(way)
  const off = third.filter(one => !isOffered(one)).map(({ name }) => name)
  return (
    <Panel title={t('bind.title')}>
      <ul className={styles.rows}>
        <Binding
          icon={<Mail size={16} aria-hidden />}
          name={t('email')}
          value={user.email || t('bind.none')}
          action={user.email ? t('bind.change') : t('bind.act')}
          act={() => setOpen('email')}
        />
        {third.filter(isOffered).map(({ way, name, id, act }) => (
          <Binding
            key={way}
            icon={providerIcons[way]}
            name={name}
            value={id || t('bind.none')}
            {...(id ? {} : { action: t('bind.act'), act })}
          />
        ))}
        {/* In one line: nothing can be done about them here. */}
        {off.length > 0 && <Row title={off.join(' · ')} lead={t('bind.off')} />}
      </ul>
      <Suspense>
        {open === 'email' && <EmailDialog userId={user.id} close={close} />}
        {open === 'wechat' && (
          <WechatDialog title={t('bind.wechatTitle')} submit={bindWechat} close={close} />
        )}
      </Suspense>
    </Panel>
  )
}

interface ThirdParty {
  readonly way: WayIn
  readonly name: string
  /** Whom it is bound to; blank for nobody. */
  readonly id: string
  act(): void
}

interface BindingProps {
  icon: ReactNode
  name: string
  value: string
  action?: string
  act?(): void
}

function Binding({ icon, name, value, action, act }: BindingProps) {
  const t = useText(personalText)
  return (
    <Row
      title={
        <>
          <span className={styles.icon}>{icon}</span>
          {name}
        </>
      }
      lead={value}
      actions={
        action && (
          <Button variant="default" size="xs" aria-label={t('bind.label', { action, name })} onClick={act}>
            {action}
          </Button>
        )
      }
    />
  )
}
