import type { PromptView } from '../../../contract/prompts.ts'
import { formatMinute, formatTime } from '../../format.ts'
import type { TranslateOf } from '../../text.ts'
import { OpenName } from '../../ui/lists/open-name.tsx'
import type { Column } from '../../ui/table/column.ts'
import type { promptText } from './catalogue.ts'
import styles from './prompt.module.css'

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
          <span className={styles.note}>
            {[prompt.note, prompt.creator].filter(text => text !== '').join(' · ')}
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
      id: 'model',
      header: t('model'),
      width: 220,
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
