import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldFault } from './form-drawer.tsx'
import { type ToastAction, toast } from './toast.ts'

interface FormToSave<Field extends string, Fault extends string | object, Saved> {
  /** Its fields have ids such as `token-name`. */
  name: string
  /** What is wrong now, whether it was told or not. */
  faults: Partial<Record<Field, Fault>>
  tell(fault: Fault): string
  save(): Promise<Saved>
  /** What is said afterwards. */
  said: string
  /** What can be done about it then and there. */
  offer?(saved: Saved): ToastAction | undefined
  refresh(): Promise<unknown>
  /** Takes what came of it; true where the drawer is to stay. */
  keep?(saved: Saved): boolean
}

/** A form says what is wrong with it once someone tried to save it. */
export function useSaveForm<Field extends string, Fault extends string | object, Saved>(
  form: FormToSave<Field, Fault, Saved>,
) {
  const [tried, setTried] = useState(false)
  const { mutateAsync } = useMutation({ mutationFn: form.save })
  const told: Partial<Record<Field, string>> = {}
  if (tried) for (const field in form.faults) told[field] = tellOne(form, field)
  const onSave = async () => {
    setTried(true)
    if (Object.keys(form.faults).length > 0) return false
    const saved = await mutateAsync()
    toast.success(form.said, form.offer?.(saved))
    // Not waited for: what is saved may be left at once.
    form.refresh().catch(() => {})
    return form.keep?.(saved) !== true
  }
  return {
    /** The messages, by field. */
    told,
    /** What its drawer needs of it. */
    drawer: { faults: faultsOf(form.name, told), onSave },
  }
}

function tellOne<Field extends string, Fault extends string | object>(
  { faults, tell }: Pick<FormToSave<Field, Fault, unknown>, 'faults' | 'tell'>,
  field: Field,
): string | undefined {
  const fault = faults[field]
  return fault && tell(fault)
}

function faultsOf(name: string, told: Record<string, string | undefined>): FieldFault[] {
  return Object.entries(told).flatMap(([field, message]) =>
    message === undefined ? [] : [{ field: `${name}-${field}`, message }],
  )
}
