/** The dark squares of a code as one path, a run of them at a time. */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .map((row, y) => {
      let path = ''
      let x = 0
      while (x < row.length) {
        let end = x
        while (row[end]) end++
        if (end > x) path += `M${x} ${y}h${end - x}v1h${x - end}z`
        x = end + 1
      }
      return path
    })
    .join('')
}
