import type { ReactNode } from 'react'
import { useText } from '../../text.ts'
import { choiceFilter, FilterBar } from '../../ui/lists/filter-bar.tsx'
import { textFilter } from '../../ui/lists/search-box.tsx'
import { pricingText } from './catalogue.ts'
import type { PricingSearch } from './route.ts'

interface FiltersProps {
  search: PricingSearch
  show(next: PricingSearch): void
  onType(text: string): void
  owners: readonly string[]
  clear(): void
  children: ReactNode
}

export function Filters({ search, show, onType, owners, clear, children }: FiltersProps) {
  const t = useText(pricingText)
  const filters = [
    textFilter('model', {
      main: true,
      label: t('search'),
      value: search.model ?? '',
      onType,
      onSearch: model => {
        const { model: _, ...others } = search
        return show(model ? { ...others, model } : others)
      },
    }),
    choiceFilter('owner', {
      label: t('owner'),
      value: search.owner ?? '',
      options: [
        { value: '', label: t('allOwners') },
        ...owners.map(owner => ({ value: owner, label: owner })),
      ],
      onChange: owner => {
        const { owner: _, ...others } = search
        return show(owner ? { ...others, owner } : others)
      },
    }),
    choiceFilter('billing', {
      label: t('billing'),
      value: search.billing ?? '',
      options: [
        { value: '', label: t('allBilling') },
        { value: 'tokens', label: t('perToken') },
        { value: 'calls', label: t('perCall') },
      ],
      onChange: billing => {
        const { billing: _, ...others } = search
        return show(billing === 'tokens' || billing === 'calls' ? { ...others, billing } : others)
      },
    }),
  ]
  const isFiltered = search.model || search.owner || search.billing
  return (
    <FilterBar filters={filters} clear={isFiltered ? clear : undefined}>
      {children}
    </FilterBar>
  )
}
