import { readJsonObject } from './setting-text.ts'

export interface TagDraft {
  name: string
  models: string[]
  groups: string[]
  model_mapping: string
  priority: string
  weight: string
}

export function draftOfTag(tag: string): TagDraft {
  return { name: tag, models: [], groups: [], model_mapping: '', priority: '', weight: '' }
}

type TagFault = 'mappingWrong' | 'priorityWrong' | 'weightWrong'

export function faultsOfTag(draft: TagDraft): Partial<Record<keyof TagDraft, TagFault>> {
  const isGiven = (text: string) => text.trim() !== ''
  return {
    ...(readJsonObject(draft.model_mapping) ? {} : { model_mapping: 'mappingWrong' }),
    ...(isGiven(draft.priority) && !/^-?\d{1,9}$/.test(draft.priority.trim())
      ? { priority: 'priorityWrong' }
      : {}),
    ...(isGiven(draft.weight) && !/^\d{1,9}$/.test(draft.weight.trim()) ? { weight: 'weightWrong' } : {}),
  }
}

/** What overwrites; undefined when nothing does. A blank name disbands the tag, elsewhere blank is no change. */
export function editOfTag(tag: string, draft: TagDraft) {
  const name = draft.name.trim()
  const edit = {
    ...(name === tag ? {} : { new_tag: name }),
    ...(draft.models.length === 0 ? {} : { models: draft.models.join(',') }),
    ...(draft.groups.length === 0 ? {} : { groups: draft.groups.join(',') }),
    ...(draft.model_mapping.trim() === '' ? {} : { model_mapping: draft.model_mapping.trim() }),
    ...(draft.priority.trim() === '' ? {} : { priority: Number(draft.priority) }),
    ...(draft.weight.trim() === '' ? {} : { weight: Number(draft.weight) }),
  }
  return Object.keys(edit).length === 0 ? undefined : { tag, ...edit }
}
