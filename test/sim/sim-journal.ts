import type { Journal } from '../../server/ledger/journal.ts'
import type { Move } from '../../server/ledger/moves.ts'
import type { Scheduler, SimProcess } from './scheduler.ts'

/** What of a machine survives its processes. */
export class SimDisk {
  /** As text, like the file it stands for. */
  readonly lines: string[] = []
  full = false
  /** Says that it is done before it is: a disk, or a journal, that must not be believed. */
  lies = false
}

/** A journal on a simulated disk: what was acknowledged survives, what was under way may or may not. */
export class SimJournal implements Journal {
  readonly #scheduler: Scheduler
  readonly #process: SimProcess
  readonly #disk: SimDisk
  readonly #pending: Move[]

  constructor(scheduler: Scheduler, process: SimProcess, disk: SimDisk) {
    this.#scheduler = scheduler
    this.#process = process
    this.#disk = disk
    this.#pending = disk.lines.map(line => JSON.parse(line) as Move)
  }

  append(move: Move): Promise<void> {
    const { random } = this.#scheduler
    const line = JSON.stringify(move)
    return new Promise((resolve, reject) => {
      const acknowledge = (): void =>
        this.#scheduler.tell(this.#process, random.between(0, 3), () => {
          this.#pending.push(move)
          resolve()
        })
      if (this.#disk.lies) acknowledge()
      this.#scheduler.after(this.#disk.lies ? 400 : random.between(0, 5), () => {
        // The process died with the write on its way: it may have got there.
        if (!this.#process.alive && (this.#disk.lies || random.chance(0.5))) return
        if (this.#disk.full) {
          this.#scheduler.tell(this.#process, 1, () => reject(new Error('ENOSPC: no space left on device')))
          return
        }
        this.#disk.lines.push(line)
        this.#scheduler.note(this.#process.name, () => `journal: ${move.kind} ${move.id}`)
        if (!this.#disk.lies) acknowledge()
      })
    })
  }

  pending(): readonly Move[] {
    return [...this.#pending]
  }

  clear(count: number): Promise<void> {
    this.#pending.splice(0, count)
    // As the file does: it goes when nothing waits in it, so what is done may be seen again after a crash.
    const isEmpty = this.#pending.length === 0
    const written = this.#disk.lines.length
    return new Promise(resolve => {
      this.#scheduler.after(this.#scheduler.random.between(0, 3), () => {
        if (isEmpty && this.#process.alive) this.#disk.lines.splice(0, written)
        this.#scheduler.tell(this.#process, 0, resolve)
      })
    })
  }
}
