import { Skeleton } from '../../ui/page/skeleton.tsx'
import styles from './detail.module.css'
import tiles from './tiles.module.css'

const TILES = 6

/** Tiles and a chart before there are figures, as high as they will be: nothing moves when they come. */
export function FiguresSkeleton() {
  return (
    <>
      <div className={tiles.tiles}>
        {Array.from({ length: TILES }, (_, tile) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity
          <div key={tile} className={`${tiles.tile} ${tiles.blank}`} aria-hidden />
        ))}
      </div>
      <div className={`${styles.panel} ${styles.blank}`}>
        <Skeleton rows={2} />
      </div>
    </>
  )
}
