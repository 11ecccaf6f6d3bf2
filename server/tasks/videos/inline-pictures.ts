import { fetchPictures } from '../../relay/media/inline-media.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { VideoWish } from './wish.ts'

/** The same wish with the bytes of what it names by an address, for vendors that fetch nothing themselves. */
export async function inlinePictures(parts: RelayParts, wish: VideoWish): Promise<VideoWish> {
  const pictures = wish.pictures()
  const named = pictures.filter(picture => !picture.startsWith('data:'))
  if (named.length === 0) return wish
  const fetched = await fetchPictures(parts, named)
  const inline = pictures.map(picture => {
    const found = fetched.get(picture)
    return found ? `data:${found.mediaType};base64,${found.data}` : picture
  })
  return { ...wish, pictures: () => inline }
}
