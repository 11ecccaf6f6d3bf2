import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { PricedModel } from '../../../contract/pricing.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { usePageTitle } from '../../ui/page/page.tsx'
import { usePageMark } from '../../ui/page/page-mark.ts'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { readSettings, type Settings, storeSettings } from './ask/settings.ts'
import { Chat } from './chat/chat.tsx'
import { chooseGroup, modelsOf, withExistingModel } from './models/model-choice.ts'
import { NoModels } from './models/no-models.tsx'
import { useOffer } from './models/use-offer.ts'
import styles from './playground.module.css'
import { SidePanel } from './side-panel.tsx'
import { deleteColumn, openConversation } from './talk/conversation-store.ts'

function Playground() {
  const shell = useText(shellText)
  const user = useUser()
  const { models, groups, prices, autoGroups, error, retry } = useOffer()
  const userId = user?.id ?? 0
  usePageTitle(shell('nav.playground'))
  useEffect(() => openConversation(userId), [userId])

  if (error)
    return (
      <div className={styles.loading}>
        <h1>{shell('nav.playground')}</h1>
        <LoadFailure error={error} retry={retry} />
      </div>
    )
  if (!models || !groups || !user)
    return (
      <div className={styles.loading}>
        <Skeleton rows={6} />
      </div>
    )
  if (models.length === 0) return <NoModels role={user.role} />
  return <Bench {...{ models, groups, prices, autoGroups }} ownGroup={user.group} />
}

interface BenchProps {
  models: readonly string[]
  groups: Readonly<Record<string, { readonly ratio: number; readonly desc: string }>>
  prices: ReadonlyMap<string, PricedModel>
  autoGroups: readonly string[]
  ownGroup: string
}

function Bench({ models, groups, prices, autoGroups, ownGroup }: BenchProps) {
  const [stored, setStored] = useState(readSettings)
  const [panelOpen, setPanelOpen] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const { settings, offered } = useMemo(() => {
    const group = chooseGroup(stored.group, ownGroup, Object.keys(groups))
    const ofGroup = modelsOf({ models, prices, autoGroups }, group)
    return { offered: ofGroup, settings: withExistingModel({ ...stored, group }, ofGroup) }
  }, [stored, ownGroup, groups, models, prices, autoGroups])

  usePageMark('whole')

  const change = (next: Settings) => {
    setStored(next)
    storeSettings(next)
  }
  useWanted(({ model, group }) =>
    change({ ...settings, models: [model], ...(group === undefined ? {} : { group }) }),
  )
  const removeModel = (column: number) => {
    deleteColumn(column)
    change({ ...settings, models: settings.models.filter((_, at) => at !== column) })
  }
  return (
    <div className={styles.page}>
      <Chat
        settings={settings}
        prices={prices}
        groupRatio={groups[settings.group]?.ratio ?? 1}
        input={input}
        onOpenPanel={() => setPanelOpen(true)}
        onRemoveModel={removeModel}
      />
      <SidePanel
        settings={settings}
        groups={groups}
        models={offered}
        prices={prices}
        open={panelOpen}
        onClose={() => setPanelOpen(false)}
        onChange={change}
        onRemoveModel={removeModel}
      />
    </div>
  )
}

/** A link may name what to talk to. It is chosen as if by hand, and the address forgets it. */
function useWanted(choose: (wanted: { model: string; group?: string | undefined }) => void): void {
  const { model, group } = screen.useSearch()
  const navigate = useNavigate()
  const onWanted = useEffectEvent(choose)
  useEffect(() => {
    if (model === undefined) return
    onWanted({ model, group })
    navigate({ to: '/playground', search: {}, replace: true }).catch(() => {})
  }, [model, group, navigate])
}

export const screen = createLazyRoute('/playground')({ component: Playground })
