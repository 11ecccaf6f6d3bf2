import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import type { GuardRule } from '../../../../../contract/guards/rule.ts'
import { guardSettings } from '../../../../../contract/settings/guards.ts'
import { withAside } from '../../../../punctuation.ts'
import { useLanguage, useText } from '../../../../text.ts'
import { Callout } from '../../../../ui/content/callout.tsx'
import { Tag, type Tone } from '../../../../ui/content/tag.tsx'
import { lazyPart } from '../../../../ui/page/lazy-part.ts'
import type { Column } from '../../../../ui/table/column.ts'
import { DataTable } from '../../../../ui/table/data-table.tsx'
import { Empty } from '../../../../ui/table/empty.tsx'
import { ONE_AND_MENU } from '../../../../ui/table/use-table-widths.ts'
import { operationText } from '../catalogue.ts'
import styles from '../operation.module.css'
import { choiceWords } from './rule-words.ts'
import { describeLook, moveRule, readRules, writeRules } from './rules.ts'
import { TryOut } from './try-out.tsx'

const GuardDialog = lazyPart(() => import('./guard-dialog.tsx'))

const tones: Readonly<Record<GuardRule['action'], Tone>> = { block: 'red', mask: 'orange', note: 'grey' }

interface GuardListProps {
  text: string
  onChange(text: string): void
}

/** The rules in their order, and a box to try them. What is changed is saved with the section. */
export default function GuardList({ text, onChange }: GuardListProps) {
  const t = useText(operationText)
  const language = useLanguage()
  /** The place of the rule in hand; that behind the last for a new one. */
  const [editing, setEditing] = useState<number>()
  const columns = useGuardColumns()
  const rules = readRules(text)
  if (!rules)
    return (
      <div className={styles.block}>
        <Callout tone="warning">{t('guard.broken')}</Callout>
      </div>
    )
  const change = (next: readonly GuardRule[]) => onChange(writeRules(next))
  const placeOf = (rule: GuardRule) => rules.findIndex(({ name }) => name === rule.name)
  return (
    <div className={styles.block}>
      <p className={styles.about}>{guardSettings.Guards.help?.[language]}</p>
      <DataTable
        label={t('guard.list')}
        columns={columns}
        rows={rules}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        onOpen={rule => setEditing(placeOf(rule))}
        actions={rule => {
          const at = placeOf(rule)
          const toggled = { ...rule, enabled: !rule.enabled }
          return [
            { id: 'edit', label: t('edit'), inline: true, act: () => setEditing(at) },
            {
              id: 'toggle',
              label: t(rule.enabled ? 'guard.switchOff' : 'guard.switchOn'),
              act: () => change(rules.with(at, toggled)),
            },
            ...(at > 0
              ? [{ id: 'up', label: t('moveUp'), act: () => change(moveRule(rules, at, at - 1)) }]
              : []),
            ...(at < rules.length - 1
              ? [{ id: 'down', label: t('moveDown'), act: () => change(moveRule(rules, at, at + 1)) }]
              : []),
            { id: 'delete', label: t('delete'), act: () => change(rules.toSpliced(at, 1)) },
          ]
        }}
        actionsWidth={ONE_AND_MENU}
        empty={<Empty title={t('guard.nothing')} />}
      />
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setEditing(rules.length)}
        >
          {t('guard.add')}
        </Button>
      </div>
      {rules.length > 0 && <TryOut rules={rules} />}
      {editing !== undefined && (
        <Suspense>
          <GuardDialog
            rule={rules[editing]}
            others={rules.toSpliced(editing, 1)}
            onClose={() => setEditing(undefined)}
            onApply={rule => {
              change(rules[editing] ? rules.with(editing, rule) : [...rules, rule])
              setEditing(undefined)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function useGuardColumns(): readonly Column<GuardRule>[] {
  const t = useText(operationText)
  const language = useLanguage()
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('guard.name'),
        heading: true,
        width: 152,
        cell: ({ name, enabled }) => (enabled ? name : withAside(name, t('guard.off'))),
      },
      {
        id: 'where',
        header: t('guard.where'),
        width: 152,
        inCard: 'behind',
        cell: ({ where }) => {
          const text = where.map(side => t(choiceWords[side])).join(language === 'zh' ? '、' : ', ')
          return <span title={text}>{text}</span>
        },
      },
      {
        id: 'action',
        header: t('guard.action'),
        width: 104,
        inCard: 'beside',
        cell: ({ action, looks }) =>
          looks.by === 'webhook' ? (
            <Tag tone="blue">Webhook</Tag>
          ) : (
            <Tag tone={tones[action]}>{t(choiceWords[action])}</Tag>
          ),
      },
      {
        id: 'looks',
        header: t('guard.looks'),
        inCard: 'plain',
        cell: ({ looks }) => {
          const text = describeLook(looks, language)
          return <span title={text}>{text}</span>
        },
      },
    ],
    [t, language],
  )
}
