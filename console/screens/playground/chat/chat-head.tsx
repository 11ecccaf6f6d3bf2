import { ActionIcon, Button } from '@mantine/core'
import { Braces, Code, Download, FileText, History, SlidersHorizontal, SquarePen, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { shellText } from '../../../locales/catalogue.ts'
import { MenuButton } from '../../../shell/menu-button.tsx'
import { useStatus } from '../../../status.ts'
import { useText } from '../../../text.ts'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { formatCost } from '../ask/answer-cost.tsx'
import type { Settings } from '../ask/settings.ts'
import { playgroundText } from '../models/catalogue.ts'
import styles from '../playground.module.css'
import { billedQuota, countTurns } from '../talk/conversation.ts'
import { beginAnew, clearConversation, readTurns, useFigure, usePast } from '../talk/conversation-store.ts'
import { asJson, asMarkdown, download } from '../talk/export-conversation.ts'
import { ToolButton } from '../turn/tool-button.tsx'

const HistoryDialog = lazyPart(() => import('../talk/history-dialog.tsx'))
const CodeDialog = lazyPart(() => import('../code-dialog.tsx'))

interface ChatHeadProps {
  settings: Settings
  onOpenPanel(): void
  onCleared(): void
}

export function ChatHead({ settings, onOpenPanel, onCleared }: ChatHeadProps) {
  const t = useText(playgroundText)
  const shell = useText(shellText)
  const count = useFigure(countTurns)
  const hasPast = usePast().length > 0
  const [showsCode, setShowsCode] = useState(false)
  const [showsPast, setShowsPast] = useState(false)
  const [clearing, setClearing] = useState(false)
  const exports = [
    {
      id: 'markdown',
      label: t('export.markdown'),
      icon: <FileText size={16} aria-hidden />,
      act: () => download('conversation.md', 'text/markdown', asMarkdown(readTurns(), settings)),
    },
    {
      id: 'json',
      label: t('export.json'),
      icon: <Braces size={16} aria-hidden />,
      act: () => download('conversation.json', 'application/json', asJson(readTurns(), settings)),
    },
  ]
  return (
    <header className={styles.head}>
      <h1>{shell('nav.playground')}</h1>
      <Total />
      <Button
        size="xs"
        variant="default"
        leftSection={<Code size={14} aria-hidden />}
        onClick={() => setShowsCode(true)}
      >
        {t('code.open')}
      </Button>
      {hasPast && (
        <ToolButton large label={t('history.title')} icon={History} onClick={() => setShowsPast(true)} />
      )}
      {count > 0 && (
        <>
          <ToolButton
            large
            label={t('history.begin')}
            icon={SquarePen}
            onClick={() => {
              beginAnew()
              onCleared()
            }}
          />
          <MenuButton label={t('export.title')} square entries={exports}>
            <Download size={18} aria-hidden />
          </MenuButton>
          <ToolButton large label={t('clear.open')} icon={Trash2} onClick={() => setClearing(true)} />
        </>
      )}
      <ActionIcon
        variant="subtle"
        size={32}
        className={`${styles.onlyNarrow} ${styles.tool}`}
        aria-label={t('panel.title')}
        onClick={onOpenPanel}
      >
        <SlidersHorizontal size={18} aria-hidden />
      </ActionIcon>
      <Suspense>
        {showsCode && (
          <CodeDialog turns={readTurns()} settings={settings} onClose={() => setShowsCode(false)} />
        )}
        {showsPast && <HistoryDialog onClose={() => setShowsPast(false)} />}
      </Suspense>
      <Confirm
        opened={clearing}
        title={t('clear.title')}
        action={t('field.clear')}
        destructive
        onCancel={() => setClearing(false)}
        onConfirm={() => {
          setClearing(false)
          clearConversation()
          setTimeout(onCleared)
        }}
      >
        {t('clear.text', { count })}
      </Confirm>
    </header>
  )
}

/** What the whole conversation has cost so far, by the books. */
function Total() {
  const t = useText(playgroundText)
  const status = useStatus()
  const quota = useFigure(billedQuota)
  if (!status || Number.isNaN(quota)) return null
  return (
    <span className={styles.total}>
      {t('cost.total', { cost: formatCost(quota, status, t('cost.units')) })}
    </span>
  )
}
