import { useState } from 'react'
import type { PromptRole, PromptVersion } from '../../../contract/prompts.ts'
import { useText } from '../../text.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { promptText } from './catalogue.ts'
import styles from './difference.module.css'
import { type Changed, compareLines, compareSettings, linesOf } from './line-differences.ts'
import { roleWords } from './role-words.ts'
import { foldPairs, ownPart, type Pair, pairLines } from './side-by-side.ts'

interface DifferenceProps {
  one: PromptVersion
  other: PromptVersion
}

/** What makes of a version another: model and parameters, and its texts side by side; on a phone below each other. */
export function Difference({ one, other }: DifferenceProps) {
  const t = useText(promptText)
  const [isWhole, setWhole] = useState(false)
  const isNarrow = useNarrow()
  const say = (role: PromptRole) => t(roleWords[role])
  const pairs = pairLines(compareLines(linesOf(one, say), linesOf(other, say)))
  const settings = compareSettings(one, other)
  const isSame = pairs.every(pair => pair.isSame) && settings.every(set => set.one === set.other)
  if (isSame) return <p className={styles.help}>{t('same')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.frame} tabIndex={0} aria-label={t('difference')}>
      <table className={styles.difference}>
        <thead className={isNarrow ? styles.unseen : undefined}>
          <tr>
            <th scope="col">{t('versionNumber', { version: one.version })}</th>
            <th scope="col">{t('versionNumber', { version: other.version })}</th>
          </tr>
        </thead>
        <tbody className={styles.settings}>
          {settings.map(set => (
            <SettingRow key={set.name} set={set} isNarrow={isNarrow} />
          ))}
        </tbody>
        <tbody>
          {(isWhole ? pairs : foldPairs(pairs)).map((row, at) =>
            'folded' in row ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place
              <tr key={at}>
                <td colSpan={2} className={styles.fold}>
                  <button type="button" onClick={() => setWhole(true)}>
                    {t('unchangedLines', { count: row.folded })}
                  </button>
                </td>
              </tr>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place
              <PairRow key={at} pair={row} isNarrow={isNarrow} />
            ),
          )}
        </tbody>
      </table>
    </section>
  )
}

function SettingRow({ set: { name, one, other }, isNarrow }: { set: Changed; isNarrow: boolean }) {
  const t = useText(promptText)
  const tell = (value: string | undefined) => `${name}: ${value ?? t('unsaid')}`
  return <PairRow pair={{ one: tell(one), other: tell(other), isSame: one === other }} isNarrow={isNarrow} />
}

function PairRow({ pair, isNarrow }: { pair: Pair; isNarrow: boolean }) {
  const { one, other, isSame } = pair
  if (!isNarrow)
    return (
      <tr>
        <Side text={one} beside={other} kind={isSame ? 'same' : 'gone'} />
        <Side text={other} beside={one} kind={isSame ? 'same' : 'new'} />
      </tr>
    )
  const only = isSame
    ? [['same', other, one] as const]
    : ([
        ['gone', one, other],
        ['new', other, one],
      ] as const)
  return only
    .filter(([, text]) => text !== undefined)
    .map(([kind, text, beside]) => (
      <tr key={kind}>
        <Side text={text} beside={beside} kind={kind} wide />
      </tr>
    ))
}

interface SideProps {
  text: string | undefined
  beside: string | undefined
  kind: 'same' | 'gone' | 'new'
  wide?: boolean
}

const signs = { same: '', gone: '−', new: '+' } as const

/** The sign stands for the colour where nobody sees it. */
function Side({ text, beside, kind, wide }: SideProps) {
  const span = wide ? { colSpan: 2 } : {}
  if (text === undefined) return <td className={styles.nothing} {...span} />
  const parts = kind === 'same' || beside === undefined ? undefined : ownPart(text, beside)
  return (
    <td className={styles[kind]} data-sign={signs[kind]} {...span}>
      {parts ? (
        <>
          {parts[0]}
          {parts[1] !== '' && <mark>{parts[1]}</mark>}
          {parts[2]}
        </>
      ) : (
        text
      )}
    </td>
  )
}
