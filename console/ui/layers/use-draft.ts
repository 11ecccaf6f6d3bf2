import { useKeptState } from '../../kept-state.ts'

export interface Draft<T extends object> {
  readonly values: T
  set<K extends keyof T>(field: K, value: T[K]): void
  /** How many fields differ from what they were. */
  readonly changes: number
  isChanged(field: keyof T): boolean
}

/** What someone is editing, beside what it was. By its name it outlives a login that ends meanwhile. */
export function useDraft<T extends object>(initial: T, name?: string): Draft<T> {
  const [edits, setEdits] = useKeptState<Partial<T>>(name, {})
  const isChanged = (field: keyof T) => field in edits && !isSame(edits[field], initial[field])
  return {
    values: { ...initial, ...edits },
    set: (field, value) => setEdits(before => ({ ...before, [field]: value })),
    isChanged,
    changes: (Object.keys(edits) as (keyof T)[]).filter(isChanged).length,
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
