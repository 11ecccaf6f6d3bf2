import { MOST_LISTED } from '../../../contract/price-sources.ts'
import { AppError } from '../../errors.ts'
import { mapInTurns } from '../give-way.ts'
import { pricing, ratioConfig } from './forms/family.ts'
import type { Form } from './forms/form.ts'
import { litellm } from './forms/litellm.ts'
import { modelsDev } from './forms/models-dev.ts'
import { openrouter } from './forms/openrouter.ts'
import { gatherPrices, type PriceList } from './offers.ts'

export type ReadList = PriceList & { readonly form: Form['name'] }

/** The prices in an answer, whichever of the known lists it is; undefined if it is none of them. */
export async function readList(answer: unknown): Promise<ReadList | undefined> {
  refuseHuge(answer)
  return (
    (await readAs(ratioConfig, answer)) ??
    (await readAs(pricing, answer)) ??
    (await readAs(openrouter, answer)) ??
    (await readAs(modelsDev, answer)) ??
    (await readAs(litellm, answer))
  )
}

async function readAs<Row>(form: Form<Row>, answer: unknown): Promise<ReadList | undefined> {
  const rows = form.rows(answer)
  if (!rows) return undefined
  if (rows.length > MOST_LISTED) throw tooLong()
  const offers = await mapInTurns(rows, row => form.offers(row))
  return { form: form.name, ...gatherPrices(offers.flat()) }
}

/** As deep as any of the lists goes down to its models. */
const DEEPEST = 3

/** Before anything is looked at: what is made to be slow to read is not read. */
function refuseHuge(value: unknown, depth = 1): void {
  if (typeof value !== 'object' || value === null) return
  const inside = Object.values(value)
  if (inside.length > MOST_LISTED) throw tooLong()
  if (depth < DEEPEST) for (const each of inside) refuseHuge(each, depth + 1)
}

function tooLong(): AppError {
  return new AppError('price-source.too-long', { most: MOST_LISTED })
}
