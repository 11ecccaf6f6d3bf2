import {
  PRODUCTION,
  type PromptDetails,
  type PromptVersion,
  type PromptView,
} from '../../../contract/prompts.ts'
import { AppError } from '../../errors.ts'
import { contains } from '../../store/like.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { countRows, type Page, totalOf } from '../paging.ts'
import { isOfMade, madeBy } from '../teams/team-tokens.ts'
import { creatorsOf } from '../tokens/token-creators.ts'

type Reader = Pick<Caller, 'id' | 'acting'>

/** All members of a team see its prompts, for all their calls may name them; who made one and owners change it. */
export function mayChange({ acting }: Reader, { created_by }: { readonly created_by: number }): boolean {
  return !acting || acting.isOwner || acting.person.id === created_by
}

/** By their names, with what the version in use says. */
function ownPrompts({ store }: App, { id }: Reader) {
  return store.db
    .selectFrom('prompts')
    .innerJoin('prompt_versions', join =>
      join
        .onRef('prompt_versions.prompt_id', '=', 'prompts.id')
        .onRef('prompt_versions.version', '=', 'prompts.version'),
    )
    .where('prompts.user_id', '=', id)
    .select(['prompts.id', 'prompts.name', 'prompts.version', 'prompts.newest', 'prompts.created_by'])
    .select(['prompts.created_at', 'prompts.updated_at'])
    .select(['prompt_versions.model', 'prompt_versions.note'])
}

export async function listPrompts(
  app: App,
  reader: Reader,
  page: Page & { readonly number: number },
  keyword: string,
) {
  const { db, engine } = app.store
  const isMeant = contains('name', keyword, engine)
  const rows = await ownPrompts(app, reader)
    .$if(keyword !== '', query => query.where(isMeant))
    .orderBy('prompts.name')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const all = db
    .selectFrom('prompts')
    .where('user_id', '=', reader.id)
    .$if(keyword !== '', query => query.where(isMeant))
  const creators = await creatorsOf(db, rows)
  return {
    items: await withLabels(
      app,
      rows.map(row => view(reader, row, creators)),
    ),
    total: totalOf(page, rows.length) ?? (await countRows(all)),
    page: page.number,
    page_size: page.limit,
  }
}

export async function viewPrompt(app: App, reader: Reader, id: number): Promise<PromptView> {
  const row = await ownPrompts(app, reader).where('prompts.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  const [prompt] = await withLabels(app, [view(reader, row, await creatorsOf(app.store.db, [row]))])
  if (!prompt) throw new AppError('row.not-found')
  return prompt
}

/** `production` first, then the others by their names. */
async function withLabels({ store }: App, prompts: readonly Unlabelled[]): Promise<PromptView[]> {
  if (prompts.length === 0) return []
  const ids = prompts.map(({ id }) => id)
  const rows = await store.db
    .selectFrom('prompt_labels')
    .select(['prompt_id', 'label', 'version'])
    .where('prompt_id', 'in', ids)
    .orderBy('label')
    .execute()
  return prompts.map(prompt => ({
    ...prompt,
    labels: [
      { label: PRODUCTION, version: prompt.version },
      ...rows
        .filter(({ prompt_id }) => prompt_id === prompt.id)
        .map(({ label, version }) => ({ label, version })),
    ],
  }))
}

export async function describePrompt(app: App, reader: Reader, id: number): Promise<PromptDetails> {
  const prompt = await viewPrompt(app, reader, id)
  const rows = await app.store.db
    .selectFrom('prompt_versions')
    .select(['version', 'model', 'note', 'created_at', 'created_by'])
    .where('prompt_id', '=', id)
    .orderBy('version', 'desc')
    .execute()
  const creators = await creatorsOf(app.store.db, rows)
  const uses = await usesOf(app, reader, id)
  const versions = rows.map(({ created_by, ...row }) => ({
    ...row,
    creator: creators.get(created_by) ?? '',
    ...(uses.get(row.version) ?? unused),
  }))
  return { ...prompt, versions }
}

const unused = { requests: 0, errors: 0, quota: 0, last_used: 0 }

/** What the calls of each version came to: of those that the reader may see in the log. */
async function usesOf(
  { store: { db } }: App,
  reader: Reader,
  id: number,
): Promise<ReadonlyMap<number, typeof unused>> {
  const made = madeBy(reader)
  let uses = db.selectFrom(made ? 'prompt_usage_by_token' : 'prompt_usage_daily')
  if (made) uses = uses.where(isOfMade(made))
  const rows = await uses
    .select(row => [
      'version',
      row.fn.sum<number | string>('requests').as('requests'),
      row.fn.sum<number | string>('errors').as('errors'),
      row.fn.sum<number | string>('quota').as('quota'),
      row.fn.max('day').as('last_used'),
    ])
    .where('prompt_id', '=', id)
    .groupBy('version')
    .execute()
  return new Map(
    rows.map(({ version, requests, errors, quota, last_used }) => [
      version,
      {
        requests: Number(requests),
        errors: Number(errors),
        quota: Number(quota),
        last_used: Number(last_used),
      },
    ]),
  )
}

/** Who moved which label, the newest first. */
export async function listReleases(
  app: App,
  reader: Reader,
  id: number,
  page: Page & { readonly number: number },
) {
  await viewPrompt(app, reader, id)
  const { db } = app.store
  const all = db.selectFrom('prompt_releases').where('prompt_id', '=', id)
  const rows = await all.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
  const creators = await creatorsOf(db, rows)
  return {
    items: rows.map(row => ({
      id: row.id,
      label: row.label,
      from: row.from_version,
      to: row.to_version,
      created_at: row.created_at,
      creator: creators.get(row.created_by) ?? '',
    })),
    total: totalOf(page, rows.length) ?? (await countRows(all)),
    page: page.number,
    page_size: page.limit,
  }
}

export async function viewVersion(
  app: App,
  reader: Reader,
  id: number,
  version: number,
): Promise<PromptVersion> {
  const row = await app.store.db
    .selectFrom('prompt_versions')
    .innerJoin('prompts', 'prompts.id', 'prompt_versions.prompt_id')
    .where('prompts.id', '=', id)
    .where('prompts.user_id', '=', reader.id)
    .where('prompt_versions.version', '=', version)
    .select(['prompt_versions.version', 'prompt_versions.model', 'prompt_versions.note'])
    .select(['prompt_versions.content', 'prompt_versions.created_at', 'prompt_versions.created_by'])
    .executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  const { content, created_by, ...rest } = row
  const creators = await creatorsOf(app.store.db, [row])
  return { ...rest, creator: creators.get(created_by) ?? '', ...JSON.parse(content) }
}

/** The version in a path. What cannot be one is answered like one that there is not. */
export function readVersion({ version = '' }: Readonly<Record<string, string>>): number {
  if (!/^\d{1,9}$/.test(version)) throw new AppError('row.not-found')
  return Number(version)
}

type Unlabelled = Omit<PromptView, 'labels'>

interface Row extends Omit<Unlabelled, 'creator' | 'editable'> {
  readonly created_by: number
}

function view(reader: Reader, row: Row, creators: ReadonlyMap<number, string>): Unlabelled {
  const { created_by, ...rest } = row
  return { ...rest, creator: creators.get(created_by) ?? '', editable: mayChange(reader, row) }
}
