import { Button, Combobox } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ComparedModel, priceSourceEndpoints } from '../../../../../contract/price-sources.ts'
import { call } from '../../../../api.ts'
import { useText } from '../../../../text.ts'
import { AutocompleteField } from '../../../../ui/fields/choice-fields.tsx'
import { Dialog } from '../../../../ui/layers/dialog.tsx'
import { toast } from '../../../../ui/layers/toast.ts'
import { LoadFailure } from '../../../../ui/page/load-failure.tsx'
import { Skeleton } from '../../../../ui/page/skeleton.tsx'
import { useSelection } from '../../../../ui/table/use-selection.ts'
import { useNarrow } from '../../../../ui/use-narrow.ts'
import { settingsText } from '../../catalogue.ts'
import { optionsQuery } from '../../options-query.ts'
import { operationText } from '../catalogue.ts'
import operationStyles from '../operation.module.css'
import styles from './compare.module.css'
import { changedModels } from './compared-price.ts'
import { ComparedTable } from './compared-table.tsx'
import { channelsQuery, comparisonQuery, publicLists, readSource, type Source } from './sources.ts'

/** Where the prices differ from another gateway's or a public list's. What is ticked and saved is what is shown. */
export default function CompareDialog({ onTaken, onClose }: { onTaken(): void; onClose(): void }) {
  const t = useText(operationText)
  const settings = useText(settingsText)
  const queryClient = useQueryClient()
  const isNarrow = useNarrow()
  const { data: channels = [] } = useQuery(channelsQuery)
  const [text, setText] = useState('')
  const [source, setSource] = useState<Source>()
  const selection = useSelection()
  const { data, error, isFetching, refetch } = useQuery(comparisonQuery(source))
  const save = useMutation({
    mutationFn: (models: readonly ComparedModel[]) =>
      call(priceSourceEndpoints.takePrices, {
        body: { models: models.map(({ served: _, ...row }) => row), source: text.trim() },
      }),
    async onSuccess() {
      await queryClient.invalidateQueries(optionsQuery)
      onTaken()
      onClose()
      toast.success(settings('saved'))
      queryClient
        .invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'price-comparison' })
        .catch(() => {})
    },
    // Somebody may have edited one of them: whoever looks again has to tick that again.
    async onError() {
      const again = await refetch()
      if (data && again.data) selection.set(changedModels(data.models, again.data.models), false)
    },
  })
  const compare = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const next = readSource(text, channels)
    selection.clear()
    if (JSON.stringify(next) === JSON.stringify(source)) refetch().catch(() => {})
    else setSource(next)
  }
  const ticked = data?.models.filter(({ model }) => selection.ids.has(model)) ?? []
  return (
    <Dialog opened onClose={onClose} title={t('compare.action')} size={860} fullScreen={isNarrow}>
      <form className={operationStyles.form} onSubmit={compare} noValidate autoComplete="off">
        <p className={styles.help}>{t('compare.help')}</p>
        <div className={styles.source}>
          <AutocompleteField
            label={t('compare.with')}
            placeholder="https://"
            data-autofocus
            // It has the focus from the beginning: what lies over the dialog is what somebody asked for.
            openOnFocus={false}
            rightSection={<Combobox.Chevron />}
            rightSectionPointerEvents="none"
            value={text}
            onChange={setText}
            data={[
              ...(channels.length > 0
                ? [{ group: t('nav.channel'), items: channels.map(({ label }) => label) }]
                : []),
              { group: t('compare.lists'), items: publicLists },
            ]}
          />
          <Button
            type="submit"
            variant={data ? 'default' : 'filled'}
            loading={isFetching}
            disabled={text.trim() === ''}
          >
            {t('compare.action')}
          </Button>
        </div>
      </form>
      <div className={styles.result}>
        {error && !isFetching && <LoadFailure error={error} retry={refetch} />}
        {!data && isFetching && <Skeleton rows={6} />}
        {data && !error && (
          <ComparedTable key={JSON.stringify(source)} comparison={data} selection={selection} />
        )}
      </div>
      {data && !error && data.models.length > 0 && (
        <div className={styles.footer}>
          <span className={styles.count} aria-live="polite">
            {t('table.selected', { count: ticked.length })}
          </span>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            disabled={ticked.length === 0 || isFetching}
            loading={save.isPending}
            onClick={() => save.mutate(ticked)}
          >
            {t('action.save')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
