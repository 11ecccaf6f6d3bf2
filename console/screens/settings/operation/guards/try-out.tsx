import { useDeferredValue, useState } from 'react'
import { type GuardRule, type GuardSide, guardSides } from '../../../../../contract/guards/rule.ts'
import { useText } from '../../../../text.ts'
import { Textarea } from '../../../../ui/fields/fields.tsx'
import { operationText } from '../catalogue.ts'
import styles from '../operation.module.css'
import { choiceWords } from './rule-words.ts'
import { type Tried, tryRules } from './rules.ts'

/** Shows what the rules in the draft make of a text. It stays in the browser, so webhooks are not asked. */
export function TryOut({ rules }: { rules: readonly GuardRule[] }) {
  const t = useText(operationText)
  const [text, setText] = useState('')
  const late = useDeferredValue(text)
  const read = guardSides.filter(side => rules.some(({ where }) => where.includes(side)))
  const sides = read.map(side => ({ side, tried: safely(rules, side, late) }))
  return (
    <div className={styles.tryOut}>
      <Textarea
        label={t('guard.try')}
        description={t('guard.tryHelp')}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={20_000}
        spellCheck={false}
      />
      {late.trim() !== '' && (
        <dl className={styles.tried} aria-live="polite">
          {sides.map(({ side, tried }) => (
            <div key={side}>
              <dt>{t(choiceWords[side])}</dt>
              <dd>
                <Outcome tried={tried} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function Outcome({ tried }: { tried: Tried | undefined }) {
  const t = useText(operationText)
  if (!tried) return <span>{t('guard.tooLong')}</span>
  const found = tried.found.map(({ name, count }) => `${name} × ${count}`).join(', ')
  return (
    <>
      <span>
        {tried.blockedBy === undefined ? tried.text : t('guard.blockedBy', { name: tried.blockedBy })}
      </span>
      <small>{found === '' ? t('guard.foundNothing') : found}</small>
    </>
  )
}

/** Undefined for a text that a pattern takes too long for. */
function safely(rules: readonly GuardRule[], side: GuardSide, text: string): Tried | undefined {
  try {
    return tryRules(rules, side, text)
  } catch {
    return undefined
  }
}
