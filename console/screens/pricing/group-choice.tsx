import { describeGroup } from '../../describe-group.ts'
import { formatRatio } from '../../format.ts'
import { useText } from '../../text.ts'
import { Tag, type Tone } from '../../ui/content/tag.tsx'
import { FilterSelect } from '../../ui/lists/filter-bar.tsx'
import { pricingText } from './catalogue.ts'
import styles from './pricing.module.css'

interface GroupChoiceProps {
  groups: Readonly<Record<string, string>>
  ratios: Readonly<Record<string, number>>
  chosen: string
  choose(name: string): void
}

/** More would push the prices off the page. */
const MOST_BUTTONS = 12

/** Whose prices are shown. */
export function GroupChoice({ groups, ratios, chosen, choose }: GroupChoiceProps) {
  const t = useText(pricingText)
  // Nobody's own group may be missing from those that can be chosen.
  const names = [...new Set([...Object.keys(groups), ...(chosen in ratios ? [chosen] : [])])]
  if (names.length > MOST_BUTTONS)
    return (
      <div className={styles.choice}>
        <FilterSelect
          label={t('groups')}
          value={chosen}
          options={names.map(name => ({ value: name, label: sayGroup(name, groups[name], ratios[name]) }))}
          onChange={choose}
        />
      </div>
    )
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.unseen}>{t('groups')}</legend>
      <div className={styles.choices}>
        {names.map(name => {
          const ratio = ratios[name] ?? 1
          const words = describeGroup(name, groups[name])
          return (
            <button
              key={name}
              type="button"
              className={styles.group}
              aria-pressed={name === chosen}
              onClick={() => choose(name)}
            >
              <span className={styles.groupName}>{name}</span>
              {words && <span className={styles.muted}>{words}</span>}
              <Tag tone={toneOf(ratio)}>{t('ratioTimes', { ratio: formatRatio(ratio) })}</Tag>
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}

function sayGroup(name: string, description: string | undefined, ratio = 1): string {
  return [name, describeGroup(name, description), `× ${formatRatio(ratio)}`].filter(Boolean).join(' · ')
}

function toneOf(ratio: number): Tone {
  if (ratio > 5) return 'red'
  if (ratio > 3) return 'orange'
  return ratio > 1 ? 'blue' : 'green'
}
