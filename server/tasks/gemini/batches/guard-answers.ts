import { asObject, type Json } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import { textsOfAnswer } from '../../../relay/guards/answer-texts.ts'
import { CallGuard } from '../../../relay/guards/call-guard.ts'
import { asProblem } from '../../../relay/problems.ts'
import type { OwnedCall } from '../../define.ts'

/** One answer of a batch by the rules for answers of now; undefined where there are none. What is blocked has the place of what failed. */
export function guardAnswers(
  { parts, incoming, admitted }: OwnedCall,
  { model, group }: { readonly model: string; readonly group: string },
): ((one: Json) => Json) | undefined {
  if (parts.guards.areIdle) return undefined
  // Whoever fetches it may be in another group than whoever ordered it: the rules of both are obeyed.
  const groups = [...(admitted.groups ?? []), group]
  const guard = CallGuard.for({ parts, incoming, admitted: { ...admitted, groups }, model })
  if (!guard?.streamRules) return undefined
  return one => {
    const answer = asObject(one)
    const response = asObject(answer?.response)
    if (!answer || !response) return one
    try {
      // Masked in its place.
      guard.readAnswerAlone(textsOfAnswer('gemini', response))
      return one
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { response: _, ...named } = answer
      return { ...named, error: { code: 7, message: asProblem(error, incoming).message } }
    }
  }
}
