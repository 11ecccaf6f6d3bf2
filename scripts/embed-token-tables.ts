// Fills the tables of the tokens once and for all, and writes the module that the executable has instead of the
// one that fills them: bun scripts/embed-token-tables.ts <file for the tables> <module>

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillTables } from '../server/relay/counting/fill-tables.ts'
import { packTables } from '../server/relay/counting/packed-tables.ts'

const [file = '', module = ''] = process.argv.slice(2)
const packing = join(import.meta.dir, '../server/relay/counting/packed-tables.ts')

writeFileSync(file, packTables(fillTables()))
writeFileSync(
  module,
  `import { readFileSync } from 'node:fs'
import { unpackTables } from ${JSON.stringify(packing)}
import file from ${JSON.stringify(file)} with { type: 'file' }

export const fillTables = () => unpackTables(readFileSync(file))
`,
)
