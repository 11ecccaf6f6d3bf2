import { PRODUCTION, type PromptView } from '../../../contract/prompts.ts'
import { formatMinute, formatTime } from '../../format.ts'
import type { TranslateOf } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { OpenName } from '../../ui/lists/open-name.tsx'
import type { Column } from '../../ui/table/column.ts'
import type { promptText } from './catalogue.ts'
import styles from './prompt.module.css'

/** Of the labels of a prompt; its versions tell them all. */
const MOST_SHOWN = 2

export function promptColumns(
  t: TranslateOf<typeof promptText>,
  open: (prompt: PromptView) => void,
): Column<PromptView>[] {
  return [
    {
      id: 'name',
      header: t('name'),
      heading: true,
      cell: prompt => (
        <span className={styles.name} data-lines>
          <OpenName name={prompt.name} open={() => open(prompt)} />
          <span className={styles.note} title={noteOf(prompt)}>
            {noteOf(prompt)}
          </span>
        </span>
      ),
    },
    {
      id: 'version',
      header: t('version'),
      width: 96,
      inCard: 'figure',
      cell: ({ version, newest }) => (
        <span>
          {version}
          {newest !== version && <span className={styles.muted}> / {newest}</span>}
        </span>
      ),
    },
    {
      id: 'labels',
      header: t('labels'),
      width: 210,
      inCard: 'behind',
      cell: ({ labels }) => {
        // What is about to be released first.
        const own = labels
          .filter(({ label }) => label !== PRODUCTION)
          .sort((one, other) => other.version - one.version)
        const told = own.map(({ label, version }) => `${label} ${version}`)
        return told.length === 0 ? (
          <span className={styles.muted}>–</span>
        ) : (
          <span className={styles.labels} title={told.join(' · ')}>
            {told.slice(0, MOST_SHOWN).map(text => (
              <Tag key={text} tone="blue">
                {text}
              </Tag>
            ))}
            {told.length > MOST_SHOWN && <span className={styles.muted}>+{told.length - MOST_SHOWN}</span>}
          </span>
        )
      },
    },
    {
      id: 'model',
      header: t('model'),
      width: 180,
      inCard: 'figure',
      cell: ({ model }) =>
        model === '' ? (
          <span className={styles.muted}>{t('modelOfCaller')}</span>
        ) : (
          <span className={styles.model} title={model}>
            {model}
          </span>
        ),
    },
    {
      id: 'changed',
      header: t('changed'),
      width: 150,
      inCard: 'behind',
      cell: ({ updated_at: at }) => <time title={formatTime(at)}>{formatMinute(at)}</time>,
    },
  ]
}

function noteOf({ note, creator }: PromptView): string {
  return [note, creator].filter(text => text !== '').join(' · ')
}
