/** Writes frames and counts them. `fields` is JSON text without braces. */
export class FrameNumbers {
  #next = 0

  write(type: string, fields: string): string {
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#next++},${fields}}\n\n`
  }

  take(): number {
    return this.#next++
  }
}
