import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

const route = getRouteApi('/setting')

/**
 * The model in the address, whose price someone came to set; or the section itself, for whoever came to see
 * which need one. A model is asked for once: a reload is no new wish.
 */
export function useWantedPrice(section: string) {
  const { price } = route.useSearch()
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<string>()
  useEffect(() => {
    if (price !== undefined || location.hash === `#${section}`)
      document.getElementById(section)?.scrollIntoView({ block: 'start' })
    if (price === undefined) return
    setWanted(price)
    navigate({
      to: '/setting',
      search: ({ price: _, ...others }) => others,
      replace: true,
      resetScroll: false,
    }).catch(() => {})
  }, [price, section, navigate])
  return { wanted, settle: () => setWanted(undefined) }
}
