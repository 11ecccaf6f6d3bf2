import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useUser } from '../session.ts'
import type { Column } from '../ui/table/column.ts'
import { type ColumnChoice, useColumnChoice } from '../ui/table/use-column-choice.ts'
import {
  isSameSearch,
  isSameState,
  type ListState,
  searchOf,
  useViews,
  type View,
  type Views,
} from './views.ts'

interface ListOfRows<Row> {
  /** What its columns and views are remembered under. */
  name: string
  columns: readonly Column<Row>[]
  hiddenAtFirst?: readonly string[] | undefined
  /** As the address has it. */
  search: object
  /** Goes to the list as this search has it. */
  show(search: object): unknown
  /** Where the list can be sorted otherwise than by its address. */
  sort?: { readonly value: string; set(value: string): void }
}

/** How someone wants to see a list. */
export interface ListOptions<Row> {
  readonly columns: readonly Column<Row>[]
  readonly choice: ColumnChoice<Row>
  readonly views: Views
  /** The list as it is shown now. */
  readonly state: ListState
  /** The view that this is, if it is one; undefined also for the plain list. */
  readonly current: View | undefined
  readonly isPlain: boolean
  /** The view that this list began as, whatever has been changed since; '' where it was none. */
  readonly origin: string
  save(name: string): void
  go(view: View): void
  /** The list without filters, and with the columns that it has of itself. */
  goToAll(): void
}

export function useListOptions<Row>(list: ListOfRows<Row>): ListOptions<Row> {
  const { name, columns, hiddenAtFirst, show, sort } = list
  const views = useViews(`views-${useUser()?.id ?? 0}-${name}`)
  const search = searchOf(list.search)
  const isFiltered = Object.keys(search).length > 0
  // Whoever comes by the address of a view gets its columns too.
  const [entered] = useState(() =>
    isFiltered ? views.all.find(view => isSameSearch(view.search, search)) : undefined,
  )
  const [origin, setOrigin] = useState(entered?.name ?? '')
  const choice = useColumnChoice(name, columns, hiddenAtFirst, entered?.hidden)
  useReturn(search, () => {
    const view = isFiltered ? views.all.find(one => isSameSearch(one.search, search)) : undefined
    setOrigin(view?.name ?? '')
    if (!view) return choice.giveBack()
    choice.borrow(view.hidden)
    sort?.set(view.sort)
  })
  const state: ListState = { search, hidden: [...choice.hidden], sort: sort?.value ?? '' }
  return {
    columns,
    choice,
    views,
    state,
    current: views.all.find(view => isSameState(view, state)),
    isPlain: !isFiltered && !choice.isBorrowed,
    origin,
    save: title => {
      views.save(title, state)
      setOrigin(title)
    },
    go: view => {
      setOrigin(view.name)
      choice.borrow(view.hidden)
      sort?.set(view.sort)
      show(view.search)
    },
    goToAll: () => {
      setOrigin('')
      choice.giveBack()
      show({})
    },
  }
}

/** Back and Forward bring the filters of an address; what else belongs to them is brought by this. */
function useReturn(search: object, bring: () => void): void {
  const { history } = useRouter()
  const isReturning = useRef(false)
  useEffect(
    () =>
      history.subscribe(({ action: { type } }) => {
        isReturning.current = type !== 'PUSH' && type !== 'REPLACE'
      }),
    [history],
  )
  const bringNow = useEffectEvent(bring)
  const address = JSON.stringify(search)
  const shown = useRef(address)
  useEffect(() => {
    if (shown.current === address) return
    shown.current = address
    if (isReturning.current) bringNow()
    isReturning.current = false
  }, [address])
}
