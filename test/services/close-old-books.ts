import { closeBooks } from '../../server/services/books/close-books.ts'
import { openSampleStore } from '../sample-store.ts'
import { newProgress } from './old-books.ts'

// A process of its own, to be killed while it closes the books. `ready` is when that begins.
const [url = '', dataDir = '', now = ''] = process.argv.slice(2)
const store = await openSampleStore(url)
process.stdout.write('ready\n')
await closeBooks({ store, settings: store.settings, now: () => Number(now), dataDir }, newProgress())
await store.close()
process.exit(0)
