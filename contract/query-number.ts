import * as z from 'zod/mini'

/** A whole number in a query. Blank, and what scripts make of nothing (`NaN`, `undefined`), is absent. */
export const queryNumber = z.optional(
  z.pipe(
    z.string(),
    z.transform((text, context): number | undefined => {
      const given = text.trim()
      if (given === '' || given === 'NaN' || given === 'undefined' || given === 'null') return undefined
      const number = Math.floor(Number(given))
      if (Number.isSafeInteger(number)) return number
      context.issues.push({ code: 'invalid_type', expected: 'number', input: text })
      return undefined
    }),
  ),
)
