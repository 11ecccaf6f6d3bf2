import * as z from 'zod/mini'

/**
 * Where a list goes on. Without `page_size` it answers as this family first did: pages from 0, a plain array.
 * With it: pages from 1, and how many there are in all. `ps` and `size` are other names of it.
 */
export const pageQuery = {
  p: z.optional(z.coerce.number()),
  page_size: z.optional(z.coerce.number()),
  ps: z.optional(z.coerce.number()),
  size: z.optional(z.coerce.number()),
}

export function pageOf<T extends z.ZodMiniType>(row: T) {
  return z.object({ items: z.array(row), total: z.int(), page: z.int(), page_size: z.int() })
}

/** Either form, as the caller asked. */
export function listOf<T extends z.ZodMiniType>(row: T) {
  return z.union([z.array(row), pageOf(row)])
}

/** What people type to find something. */
export const searchText = z._default(
  z.string().check(
    z.trim(),
    z.maxLength(2000),
    // PostgreSQL has none in its text.
    z.refine(text => !text.includes('\0')),
  ),
  '',
)
