import { createLazyRoute } from '@tanstack/react-router'
import { type PromptDetails, type PromptVersion, promptEndpoints } from '../../../contract/prompts.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { EditDrawer } from '../../ui/layers/edit-drawer.tsx'
import { FormDrawer } from '../../ui/layers/form-drawer.tsx'
import { useCloseDrawer } from '../../ui/layers/use-close-drawer.ts'
import { type Draft, useDraft } from '../../ui/layers/use-draft.ts'
import { useSaveForm } from '../../ui/layers/use-save-form.ts'
import { promptText } from './catalogue.ts'
import { contentOf, draftOf, faultsOf, newPrompt, type PromptDraft } from './prompt-draft.ts'
import { PromptFields } from './prompt-fields.tsx'
import { refreshPrompts } from './prompts-query.ts'

interface Stored {
  readonly prompt: PromptDetails
  readonly version: PromptVersion
}

function AddPrompt() {
  return <PromptForm stored={undefined} />
}

function EditPrompt() {
  const t = useText(promptText)
  const { id } = editDrawer.useParams()
  return (
    <EditDrawer
      title={t('editTitle')}
      list="prompts"
      id={id}
      read={signal => readStored(id, signal)}
      onClose={useCloseDrawer('/prompt')}
      fields={6}
    >
      {stored => <PromptForm key={stored.prompt.id} stored={stored} />}
    </EditDrawer>
  )
}

async function readStored(id: string, signal: AbortSignal): Promise<Stored> {
  const prompt = await call(promptEndpoints.getPrompt, { params: { id }, signal })
  const params = { id, version: prompt.version }
  return { prompt, version: await call(promptEndpoints.getPromptVersion, { params, signal }) }
}

function PromptForm({ stored }: { stored: Stored | undefined }) {
  const t = useText(promptText)
  const draft = useDraft(stored ? draftOf(stored.prompt.name, stored.version) : newPrompt, 'prompt')
  const form = useSaveForm({
    name: 'prompt',
    faults: faultsOf(draft.values),
    tell: t,
    save: () => (stored ? change(stored, draft) : create(draft.values)),
    said: stored ? t('updated') : t('createdDone'),
    refresh: refreshPrompts,
  })
  return (
    <FormDrawer
      {...form.drawer}
      title={stored ? t('editTitle') : t('add')}
      changes={draft.changes}
      action={stored ? t('action.save') : t('create')}
      onClose={useCloseDrawer('/prompt')}
    >
      <PromptFields draft={draft} faults={form.told} known={stored?.prompt.labels} />
    </FormDrawer>
  )
}

async function create(draft: PromptDraft): Promise<void> {
  await call(promptEndpoints.createPrompt, { body: { name: draft.name.trim(), ...contentOf(draft) } })
}

/** Another name, another version, or both. Labels go to that, or to the one that is shown where there is no other. */
async function change({ prompt, version }: Stored, { values, isChanged }: Draft<PromptDraft>): Promise<void> {
  const { id, name } = prompt
  const renamed = values.name.trim()
  if (renamed !== name) await call(promptEndpoints.updatePrompt, { params: { id }, body: { name: renamed } })
  const { name: _, use: __, labels, ...content } = values
  if ((Object.keys(content) as (keyof PromptDraft)[]).some(isChanged))
    await call(promptEndpoints.addPromptVersion, {
      params: { id },
      body: { ...contentOf(values), use: values.use },
    })
  else
    for (const label of labels)
      await call(promptEndpoints.movePromptLabel, {
        params: { id, label },
        body: { version: version.version },
      })
}

export const addDrawer = createLazyRoute('/prompt/add')({ component: AddPrompt })
export const editDrawer = createLazyRoute('/prompt/edit/$id')({ component: EditPrompt })
